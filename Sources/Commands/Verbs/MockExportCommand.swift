import CommandTable
import FileSystem
import MockServer

/// Writes all that a running mock server holds to one file.
struct MockExportCommand: Command {
    static let verb = Verb(
        "mock export", "write all that a running mock server holds to one file",
        discussion: [
            "The file is text, one JSON object on a line, the same for the same data: \"diff\" shows "
                + "what changed between two of them. What FILE had stays until the new archive is "
                + "whole and on disk. It holds no credentials.",
            "\"mock import\" and \"mock start --import\" read it.",
        ],
        positionals: [Positional(.file, .one, "where to; replaced when it is there")],
        options: MockAdmin.options + CommonOptions.output,
        examples: [.init("cksweep mock export state.jsonl", "to look at, or to begin with")])
    private let arguments: Arguments

    init(arguments: Arguments) { self.arguments = arguments }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try MockAdmin(arguments, in: environment, forArchives: true)
        defer { admin.close() }
        let path = arguments.positionals[0]
        guard let archive = try await admin.bytes("export") else {
            throw CommandFailure(.usage, "the mock server at \(admin.url) exports nothing")
        }
        if let problem = ArchiveSeal.problem(with: archive) {
            throw CommandFailure(.internalError, "the archive is not whole: \(problem)")
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
