import Foundation
import Testing

/// A notes app on two devices, each launch a process of its own, against a mock server over TLS; then
/// everything of the person is deleted, and the server's own dump is read.
struct NotesAppTests {
    static let apps = ["NotesSwift5", "NotesSwift6"]

    /// Runs launches in turn under one mock server; `P` is the phone, `T` the tablet.
    private func launch(_ app: String, _ lines: [String]) throws -> (Program.Ended, dump: String) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-notes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let dump = folder.appendingPathComponent("dump.jsonl")
        let script = """
            set -e
            P() { '\(Program.path(app))' '\(folder.path)/phone.json' "$@"; }
            T() { '\(Program.path(app))' '\(folder.path)/tablet.json' "$@"; }
            dump() { '\(Program.path("cksweep"))' mock export --quiet '\(dump.path)'; }
            \(lines.joined(separator: "\n"))
            dump
            """
        let list = Program.repository.appendingPathComponent("Containers/example.json").path
        let ended = try Program.run(
            Program.path("cksweep"),
            [
                "mock", "exec", "--quiet", "--any-container", "--state",
                folder.appendingPathComponent("mock").path,
                "--", "sh", "-c", script,
            ], ["CLOUDKIT_CONTAINERS": list])
        return (ended, try String(contentsOf: dump, encoding: .utf8))
    }

    @Test(arguments: apps) func `two devices end with the same notes`(app: String) throws {
        let (ended, dump) = try launch(
            app,
            [
                "P add milk two add eggs six sync", "T sync list",
                // Both change the same note; the tablet is first.
                "T add milk three delete eggs sync", "P add milk four sync list", "T sync list",
            ])
        #expect(ended.status == 0, "\(ended.output)")
        let notes = ended.lines.filter { !$0.hasPrefix("sync:") && !$0.hasPrefix("exported") }
        #expect(
            notes == [
                "note: eggs=six", "note: milk=two", "pending: 0",
                "deleted elsewhere: Note eggs", "note: milk=four", "pending: 0",
                // The tablet's own deletion comes back to it.
                "deleted elsewhere:  eggs", "note: milk=four", "pending: 0",
            ], "\(ended.output)")
        #expect(dump.contains("four"))
        #expect(!dump.contains("three"))
    }

    @Test(arguments: apps) func `what was not sent before a process ended is sent by the next`(
        app: String
    ) throws {
        let (ended, dump) = try launch(
            app, ["P add milk two sync", "P add eggs six", "P sync list", "T sync list"])
        #expect(ended.status == 0, "\(ended.output)")
        #expect(ended.lines.filter { $0 == "note: eggs=six" }.count == 2, "\(ended.output)")
        #expect(dump.contains("eggs"))
    }

    @Test(arguments: apps) func `everything goes, and the server's dump has nothing of it`(
        app: String
    ) throws {
        let secret = "packing-list-\(app)"
        let (ended, dump) = try launch(
            app,
            [
                "P add \(secret) socks sync", "T sync list", "dump", "P erase",
                "T add late hat sync list",
            ])
        #expect(ended.status == 0, "\(ended.output)")
        #expect(ended.lines.contains("note: \(secret)=socks"), "\(ended.output)")
        #expect(ended.lines.contains("erased: Notes"), "\(ended.output)")
        #expect(ended.lines.contains("zone deleted"), "\(ended.output)")
        #expect(!dump.contains(secret))
        #expect(!dump.contains("socks"))
    }
}
