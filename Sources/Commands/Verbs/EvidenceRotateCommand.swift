import CommandTable
import Evidence

/// Puts another key in the place of the one that signs evidence.
struct EvidenceRotateCommand: Command {
    static let verb = Verb(
        "evidence rotate", "sign evidence with a new key from now on",
        discussion: [
            "Makes a new key and says so in the ledger, signed by both keys: who trusts the old one "
                + "and has the ledger needs no word about the new one. What the old key signed stays "
                + "good, and its public half stays beside the new one. A key that somebody else "
                + "may have is not for this: mark it as revoked in the trust files of those who "
                + "check, and begin a new state folder."
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
