import Basics
import CommandLine
import Evidence
import FileSystem

/// Checks a whole ledger offline.
struct AttestLedgerCommand: Command {
    private static let since = Option(
        "since", value: .file, "checkpoint that you kept: the ledger must continue from it")

    static let verb = Verb(
        "attest ledger", "check a whole ledger offline",
        discussion: [
            "Checks that every statement is signed by one of your keys and refers to those "
                + "before it, and that no plan was used by two runs. A ledger that was truncated at "
                + "its end still looks whole: keep a checkpoint, and pass it with --since. Exit 0 "
                + "or 11."
        ],
        positionals: [
            Positional(.directory, .one, "\"evidence/ledger\" of a state folder, or a copy of it")
        ],
        options: [AttestReading.key, since] + CommonOptions.output,
        examples: [
            .init(
                "cksweep attest ledger ledger --key operator.pub.pem --since kept.checkpoint",
                "has anything been removed since?")
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let files = environment.files
        let path = arguments.positionals.first ?? ""
        guard files.facts(path)?.isFolder == true else {
            throw CommandFailure(.usage, "\(path) is not a folder")
        }
        let ledger: (size: Int, root: [UInt8])
        do {
            let trust = try AttestReading.trust(arguments, files)
            let kept = try arguments.text(Self.since).map {
                try Checkpoint(try files.read($0, bytesMax: 1 << 16), signedBy: trust.keys)
            }
            ledger = try Ledger(folder: files.absolute(path)).audit(trust: trust, from: kept)
        } catch {
            throw CommandFailure(any: error, about: path)
        }
        let root = Hexadecimal.encode(ledger.root)
        console.event(
            Event("ledger", [.init("entries", ledger.size), .init("root", root)]))
        console.result("WHOLE: \(Counts.some(ledger.size, "statement")), root \(root)")
        return .done
    }
}
