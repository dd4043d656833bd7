import CommandLine
import Evidence

/// Shows the key that signs evidence.
struct EvidenceKeyCommand: Command {
    static let verb = Verb(
        "evidence key", "show the key that signs evidence",
        discussion: [
            "Shows the key's ID as other programs compute it from the public key, and the "
                + "SHA-256 of the output of \"openssl pkey -pubin -outform DER\". The private half "
                + "is never shown."
        ],
        options: [EvidenceOptions.rehearsal, CommonOptions.state] + CommonOptions.output,
        examples: [.init("cksweep evidence key", "to compare by telephone")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let folder = KeyFolder(
            stateFolder: EvidenceOptions.stateFolder(arguments, in: environment))
        let key: SigningKey?
        do throws(EvidenceError) {
            key = try folder.key()
        } catch {
            throw CommandFailure(.usage, error.reason)
        }
        guard let key else {
            throw CommandFailure(
                .usage, "there is no key in \(folder.privatePath)",
                remedy:
                    "\"cksweep evidence "
                    + "init\(EvidenceOptions.suffix(arguments, in: environment))\" creates one")
        }
        console.show(key.verifying, at: folder, event: "key")
        return .done
    }
}
