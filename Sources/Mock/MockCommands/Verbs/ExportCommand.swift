import CommandLine
import FileSystem
import MockServer

/// Writes all that a running mock server holds to one file.
struct ExportCommand: Command {
    static let verb = Verb(
        "export", "write everything that a running mock server stores to one file",
        discussion: [
            "The file is text, one JSON object per line, identical for identical data: \"diff\" "
                + "shows what changed between two of them. The old FILE is kept until the new "
                + "archive is complete and on disk. It contains no credentials.",
            "\"cloudkit-mock import\" and \"cloudkit-mock start --import\" read it.",
        ],
        positionals: [Positional(.file, .one, "output file; replaced if it exists")],
        options: AdminClient.options + CommonOptions.output,
        examples: [.init("cloudkit-mock export state.jsonl", "to inspect, or to start with")])
    private let arguments: Arguments

    init(arguments: Arguments) { self.arguments = arguments }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try AdminClient(arguments, in: environment, forArchives: true)
        defer { admin.close() }
        let path = arguments.positionals[0]
        guard let archive = try await admin.bytes("export") else {
            throw CommandFailure(.usage, "the mock server at \(admin.url) exported nothing")
        }
        if let problem = ArchiveSeal.problem(with: archive) {
            throw CommandFailure(.internalError, "the archive is incomplete: \(problem)")
        }
        do throws(FileError) {
            try environment.files.write(archive, to: path, mode: 0o600, replacing: true)
        } catch {
            throw CommandFailure(error)
        }
        let lines = archive.count { $0 == 0x0A }
        console.result("exported \(TextTable.grouped(lines)) lines to \(path)")
        console.event(
            Event(
                "exported",
                [.init("file", path), .init("lines", lines), .init("bytes", archive.count)]))
        return .done
    }
}
