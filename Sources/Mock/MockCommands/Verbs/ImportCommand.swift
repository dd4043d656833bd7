import CommandLine
import FileSystem

/// Puts an archive in the place of all that a running mock server holds.
struct ImportCommand: Command {
    static let verb = Verb(
        "import", "replace everything that a running mock server stores by an archive",
        discussion: [
            "FILE is an archive written by \"cloudkit-mock export\". All of it is imported, or nothing "
                + "changes and the line and column of the error are printed. Users, data, settings "
                + "and clock are then the archive's; API tokens, web tokens, faults and the journal "
                + "stay the server's; snapshots are discarded. Change tokens issued before are "
                + "expired."
        ],
        positionals: [Positional(.file, .one, "the archive")],
        options: AdminClient.options + CommonOptions.output,
        examples: [.init("cloudkit-mock import state.jsonl", "restore it")])
    private let arguments: Arguments

    init(arguments: Arguments) { self.arguments = arguments }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try AdminClient(arguments, in: environment, forArchives: true)
        defer { admin.close() }
        let archive: [UInt8]
        do throws(FileError) {
            archive = try environment.files.read(
                arguments.positionals[0], bytesMax: AdminClient.archiveBytesMax)
        } catch {
            throw CommandFailure(error)
        }
        let answer = try await admin.ask(.post, "import", archive)
        let counts = ["users", "databases", "zones", "records", "assets"].map {
            ($0, Int(answer[$0]?.int64 ?? 0))
        }
        let told = counts.map { name, count in
            "\(TextTable.grouped(count)) \(count == 1 ? String(name.dropLast()) : name)"
        }
        console.result("imported " + told.joined(separator: ", "))
        console.event(Event("imported", counts.map { .init($0.0, $0.1) }))
        return .done
    }
}
