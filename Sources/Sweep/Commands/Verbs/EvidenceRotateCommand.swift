import CommandLine
import Evidence

/// Puts another key in the place of the one that signs evidence.
struct EvidenceRotateCommand: Command {
    static let verb = Verb(
        "evidence rotate", "sign evidence with a new key from now on",
        discussion: [
            "Creates a new key and records it in the ledger, signed by both keys: a verifier "
                + "that trusts the old key and has the ledger accepts the new one. Earlier "
                + "signatures stay valid, and the old public half stays next to the new one. Do not "
                + "use this for a compromised key: mark that as revoked in the verifiers' trust "
                + "files, and start a new state folder."
        ],
        options: [EvidenceOptions.rehearsal, CommonOptions.state] + CommonOptions.output,
        examples: [.init("cksweep evidence rotate", "once a year")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let stateFolder = EvidenceOptions.stateFolder(arguments, in: environment)
        let folder = KeyFolder(stateFolder: stateFolder)
        do throws(EvidenceError) {
            let key = try folder.rotate(
                in: Ledger(folder: stateFolder + "/evidence/ledger"),
                at: environment.wallClock.now)
            console.show(key.verifying, at: folder, event: "key_changed")
        } catch {
            throw CommandFailure(.usage, error.reason)
        }
        return .done
    }
}
