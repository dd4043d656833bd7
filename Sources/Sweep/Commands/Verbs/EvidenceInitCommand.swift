import CommandLine
import Configuration
import Evidence

/// Makes the key that signs evidence.
struct EvidenceInitCommand: Command {
    static let verb = Verb(
        "evidence init", "create the key that signs evidence",
        discussion: [
            "From then on, every run of the state folder that deletes or verifies ends with a "
                + "signed statement in the folder's ledger. The private half stays in \"keys\" of "
                + "the state folder, readable by its owner only; distribute the public half "
                + "separately from the evidence. An existing key is never replaced."
        ],
        options: [EvidenceOptions.rehearsal, CommonOptions.state] + CommonOptions.output,
        examples: [.init("cksweep evidence init", "once, before the first run")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let folder = KeyFolder(
            stateFolder: EvidenceOptions.stateFolder(arguments, in: environment))
        if environment.files.facts(folder.privatePath) != nil {
            throw CommandFailure(
                .refused, "a key exists already: \(folder.privatePath)",
                remedy:
                    "\"cksweep evidence key\(EvidenceOptions.suffix(arguments, in: environment))\" "
                    + "shows it")
        }
        do throws(EvidenceError) {
            let key = try folder.make()
            console.show(key.verifying, at: folder, event: "key_made")
        } catch {
            throw CommandFailure(.usage, error.reason)
        }
        return .done
    }
}

/// Options of the verbs about evidence.
enum EvidenceOptions {
    static let rehearsal = Option(
        CommonOptions.rehearsal.name, "use the key for rehearsals, which is a separate one")

    static func stateFolder(_ arguments: Arguments, in environment: Environment) -> String {
        let folders = StateFolders(arguments, in: environment)
        return isRehearsal(arguments, environment) ? folders.rehearsals : folders.runs
    }

    /// Whether a run with the same environment would be a rehearsal: as every verb that has a list, these go by
    /// the mock server that the environment names.
    private static func isRehearsal(_ arguments: Arguments, _ environment: Environment) -> Bool {
        arguments.has(rehearsal) || environment.variable(ServerChoice.urlVariable) != nil
    }

    /// What a command about the same key needs as well.
    static func suffix(_ arguments: Arguments, in environment: Environment) -> String {
        isRehearsal(arguments, environment) ? " --rehearsal" : ""
    }
}

extension KeyFolder {
    /// Whether it is in the state folder of rehearsals, which have one of their own.
    fileprivate var isOfRehearsals: Bool { privatePath.contains("/rehearsal/keys/") }
}

extension Console {
    /// Shows the public half of a key in every way that somebody may ask for.
    func show(_ key: VerifyingKey, at folder: KeyFolder, event name: String) {
        event(
            Event(
                name,
                [
                    .init("key", key.id), .init("spkiSHA256", key.publicKeyDigest),
                    .init("public", folder.publicPath),
                ]))
        var table = TextTable()
        table.add([.init("key", .faint), .init(key.id)])
        table.add([.init("SHA-256 of the public key", .faint), .init(key.publicKeyDigest)])
        table.add([
            .init("signs", .faint), .init(folder.isOfRehearsals ? "rehearsals" : "real runs"),
        ])
        table.add([.init("to distribute", .faint), .init(folder.publicPath)])
        result(table.lines(style).joined(separator: "\n"))
    }
}
