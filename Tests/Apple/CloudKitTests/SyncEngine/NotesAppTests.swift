import CloudKitMock
import Foundation
import InProcessMock
import RepositoryRoot
import Testing

/// A notes app on two devices, each launch a process of its own, against a mock server over TLS; then
/// everything of the person is deleted, and the server's own dump is read.
@Suite(.timeLimit(.minutes(10)))
struct NotesAppTests {
    static let apps = ["NotesSwift5", "NotesSwift6"]

    /// Runs launches in turn under one mock server; `P` is the phone, `T` the tablet.
    private func launch(_ app: String, _ lines: [String]) throws -> (
        Program.Ended, file: SnapshotBytes
    ) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-notes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("state.snapshot")
        let script = """
            set -e
            P() { '\(Program.path(app))' '\(folder.path)/phone.json' "$@"; }
            T() { '\(Program.path(app))' '\(folder.path)/tablet.json' "$@"; }
            save() { '\(Program.path("cksweep"))' mock snapshot save --quiet --to '\(file.path)'; }
            \(lines.joined(separator: "\n"))
            save
            """
        let list = Repository.url("Containers/example.json").path
        let ended = try Program.run(
            Program.path("cksweep"),
            [
                "mock", "exec", "--quiet", "--any-container", "--state",
                folder.appendingPathComponent("mock").path,
                "--", "sh", "-c", script,
            ], ["CLOUDKIT_CONTAINERS": list])
        return (ended, SnapshotBytes([UInt8](try Data(contentsOf: file))))
    }

    @Test(arguments: apps) func `two devices end with the same notes`(app: String) throws {
        let (ended, file) = try launch(
            app,
            [
                "P add milk two add eggs six sync", "T sync list",
                // Both change the same note; the tablet is first.
                "T add milk three delete eggs sync", "P add milk four sync list", "T sync list",
            ])
        #expect(ended.status == 0, "\(ended.output)")
        let notes = ended.lines.filter { !$0.hasPrefix("sync:") && !$0.hasPrefix("saved") }
        #expect(
            notes == [
                "note: eggs=six", "note: milk=two", "pending: 0",
                "deleted elsewhere: Note eggs", "note: milk=four", "pending: 0",
                // The tablet's own deletion comes back to it.
                "deleted elsewhere:  eggs", "note: milk=four", "pending: 0",
            ], "\(ended.output)")
        #expect(file.contains("four"))
        #expect(!file.contains("three"))
    }

    @Test(arguments: apps) func `what was not sent before a process ended is sent by the next`(
        app: String
    ) throws {
        let (ended, file) = try launch(
            app, ["P add milk two sync", "P add eggs six", "P sync list", "T sync list"])
        #expect(ended.status == 0, "\(ended.output)")
        #expect(ended.lines.filter { $0 == "note: eggs=six" }.count == 2, "\(ended.output)")
        #expect(file.contains("eggs"))
    }

    @Test(arguments: apps) func `everything goes, and the server has nothing of it`(
        app: String
    ) throws {
        let secret = "packing-list-\(app)"
        let (ended, file) = try launch(
            app,
            [
                "P add \(secret) socks sync", "T sync list", "save", "P erase",
                "T add late hat sync list",
            ])
        #expect(ended.status == 0, "\(ended.output)")
        #expect(ended.lines.contains("note: \(secret)=socks"), "\(ended.output)")
        #expect(ended.lines.contains("erased: Notes"), "\(ended.output)")
        #expect(ended.lines.contains("zone deleted"), "\(ended.output)")
        #expect(!file.contains(secret))
        #expect(!file.contains("socks"))
    }

    /// Runs a script in which `P` and `T` are Ann's phone and tablet, `B` is Bob's phone.
    private func launchOfTwo(_ app: String, _ lines: [String]) async throws -> (
        Program.Ended, file: SnapshotBytes
    ) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-notes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = MockCloudConfiguration(
            containers: ["iCloud.com.example.myexampleapp"], accounts: ["ann", "bob"])
        return try await withMockCloud(seed: 41, depth: .socket, configuration: configuration) {
            cloud in
            let token = "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"
            var variables = try await cloud.variables(as: "ann")
            variables["CLOUDKIT_CONTAINERS"] =
                Repository.url("Containers/example.json").path
            variables["TABLET"] = try await cloud.variables(as: "ann")[token]
            variables["BOB"] = try await cloud.variables(as: "bob")[token]
            variables["XDG_STATE_HOME"] = folder.appendingPathComponent("state").path
            let script = """
                set -e
                P() { '\(Program.path(app))' '\(folder.path)/phone.json' "$@"; }
                T() { \(token)="$TABLET" '\(Program.path(app))' '\(folder.path)/tablet.json' "$@"; }
                B() { \(token)="$BOB" '\(Program.path(app))' '\(folder.path)/bob.json' "$@"; }
                \(lines.joined(separator: "\n"))
                """
            let ended = try Program.run("/bin/sh", ["-c", script], variables)
            let file = try await cloud.administer("GET", "export")
            return (ended, SnapshotBytes([UInt8](file)))
        }
    }

    @Test(arguments: apps)
    func `two people share a note over TLS, and at the end nothing of it is left`(
        app: String
    ) async throws {
        let secret = "packing-list-\(app)"
        let (ended, file) = try await launchOfTwo(
            app,
            [
                "P add \(secret) socks add own hat sync", "T sync list",
                "link=$(P share \(secret) bob@example.com | sed -n 's/^link: //p')",
                "B join \"$link\" shared", "B edit \(secret) 'socks and shoes'",
                "P sync list", "T add \(secret) everything sync", "B shared",
                // Everything of Ann's goes, and with it what Bob was shared.
                "P erase", "T sync list", "B shared", "B shared",
            ])
        #expect(ended.status == 0, "\(ended.output)")
        let expected = [
            "note: own=hat", "note: \(secret)=socks", "pending: 0",
            "joined: Ann Bob", "shared: \(secret)=socks", "shared notes: 1",
            "note: own=hat", "note: \(secret)=socks and shoes", "pending: 0",
            "shared: \(secret)=everything", "shared notes: 1",
            "erased: Notes", "zone deleted", "pending: 0",
            "no longer shared: Notes", "shared notes: 0", "shared notes: 0",
        ]
        let lines = ended.lines.filter { !$0.hasPrefix("sync:") && !$0.hasPrefix("conflict:") }
        #expect(lines == expected, "\(ended.output)")
        for word in [secret, "socks", "shoes", "everything"] {
            #expect(!file.contains(word), "\(word) is left")
        }
        // Of the zone nothing but its name, which devices are told of that come later.
        let left = try file.rows().filter { $0.contains("Notes") }
        #expect(left.count == 2 && left.allSatisfy { $0.hasPrefix("zones ") }, "\(left)")
        #expect(
            try file.rows(of: "SELECT live FROM zones WHERE name LIKE '%Notes%'") == [[0], [0]])
    }

    @Test(arguments: apps)
    func `what a launch began is gone on with by the next, and by nobody else`(
        app: String
    ) async throws {
        let (ended, file) = try await launchOfTwo(
            app,
            [
                "P sync", "P begin late socks", "T sync list", "B resume", "P resume", "P resume",
                "T sync list", "ls \"$XDG_STATE_HOME\"/cloudkit/operations/*",
            ])
        #expect(ended.status == 0, "\(ended.output)")
        #expect(
            ended.lines.filter { !$0.hasPrefix("sync:") } == [
                "kept", "pending: 0", "to go on with: 0", "to go on with: 1", "saved: late",
                "to go on with: 0", "note: late=socks", "pending: 0",
            ], "\(ended.output)")
        #expect(file.contains("late"))
    }
}
