import AsyncOperations
import CloudModel
import Foundation
import Testing

/// Exports of people's data by the program, on disks that fail, held against what the server holds.
final class ExportTrial: Sendable {
    static let container = "iCloud.com.example.kill"
    private static let people = (0..<210).map { "p\($0)" }

    let server: ServerProcess
    private let folder: Folder
    private let number = Counter()

    private init() throws {
        folder = try Folder()
        server = try ServerProcess(folder: folder.url, users: Self.people)
    }

    static func run(_ body: (ExportTrial) async throws -> Void) async throws {
        let trial = try ExportTrial()
        defer {
            trial.server.stop()
            trial.folder.remove()
        }
        try await body(trial)
    }

    /// Exports what somebody has on a disk that fails, changes some of it, and exports it to the end.
    ///
    /// - Returns: whether the disk failed before the export was over.
    func play(_ disk: FailingDisk) async throws -> Bool {
        let person = try await person()
        let first = try person.export(on: disk)
        let name = "\(disk): exit \(first.status)\n\(first.errors)\(first.output)"
        if first.status == 0 {
            try await person.expectTruth(name)
            return false
        }
        if case .noRoom = disk {
            #expect(first.status == 1 && !first.wasKilled, "\(name)")
        } else {
            #expect(first.wasKilled, "\(name)")
        }
        if person.hasManifest {
            // Killed after the end: what is there is whole, and stays what it was.
            #expect(try person.check().status == 0, "\(name)")
            try await person.expectTruth(name)
            #expect(try person.export().status == 3, "\(name)")
            return true
        }
        #expect(try person.check().status == 3, "\(name): taken for an export")
        try await person.change()
        let second = try person.export()
        #expect(second.status == 0, "\(name)\nthen \(second.errors)\(second.output)")
        try await person.expectTruth(name)
        return true
    }

    /// Somebody new, with zones, records, assets and a subscription.
    func person() async throws -> Person {
        let user = Self.people[number.next()]
        _ = try await server.admin(.post, "seed", Self.seed(user))
        return try Person(user, server, folder.url.appendingPathComponent(user))
    }

    private static func seed(_ user: String) -> String {
        func text(_ name: String, _ body: String) -> String {
            #"{"recordName":"\#(name)","recordType":"Note","fields":{"body":{"value":"\#(body)","#
                + #""type":"STRING"}}}"#
        }
        func photo(_ number: Int) -> String {
            let bytes = Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* (31 + number)) })
            return #"{"recordName":"photo\#(number)","recordType":"Note","fields":{"photo":{"#
                + #""value":{"base64":"\#(bytes.base64EncodedString())"},"type":"ASSETID"}}}"#
        }
        func zone(_ name: String, _ records: [String]) -> String {
            #"{"name":"\#(name)","records":[\#(records.joined(separator: ","))]}"#
        }
        let zones = [
            zone("Album", (0..<3).map(photo)),
            zone("Notes", (0..<30).map { text("note\($0)", "written first") }),
            zone("Again", (0..<5).map { text("old\($0)", "of the first zone") }),
            zone("Gone", [text("gone", "soon")]),
        ]
        return #"{"version":1,"shows":"Something to export.","environment":"development","#
            + #""users":[{"name":"\#(user)"}],"databases":[{"container":"\#(container)","scope":"private","user":"\#(user)","#
            + #""zones":[\#(zones.joined(separator: ","))]}]}"#
    }
}

extension ExportTrial {
    /// Somebody at the server, and where their export goes.
    final class Person: Sendable {
        private let user: String
        private let server: ServerProcess
        /// What is written below it fails.
        private let disk: URL
        private let home: URL
        private let environment: [String: String]
        private var folder: String { disk.appendingPathComponent("export").path }

        fileprivate init(_ user: String, _ server: ServerProcess, _ home: URL) throws {
            self.user = user
            self.server = server
            self.home = home
            disk = home.appendingPathComponent("disk")
            environment = try server.environment(user: user)
            try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
            let list =
                #"{"version":1,"environment":"development","containers":[{"identifier":"#
                + #""\#(ExportTrial.container)","recordTypes":[]}],"databases":["private"],"#
                + #""credentials":{"apiToken":"env:A","webAuthToken":"env:B"}}"#
            try list.write(
                to: home.appendingPathComponent("list.json"), atomically: true, encoding: .utf8)
        }

        /// Runs the export to its end, or to that of its disk.
        func export(on failing: FailingDisk? = nil) throws -> Program.Ended {
            let words = try failing?.words(disk) ?? []
            if failing != nil { try failing?.arm(disk) }
            defer {
                try? FileManager.default.removeItem(at: disk.appendingPathComponent("armed"))
            }
            return try Program.run(
                [
                    "export", "-o", folder, "-c", home.appendingPathComponent("list.json").path,
                    "--state", home.appendingPathComponent("state").path, "--rehearsal", "-q",
                ], environment: environment, on: words)
        }

        func check() throws -> Program.Ended {
            try Program.run(["export", "--check", folder, "-q"])
        }

        var hasManifest: Bool { FileManager.default.fileExists(atPath: folder + "/manifest.json") }

        /// Writes, changes and deletes records, deletes a zone, and makes one again by the same name.
        func change() async throws {
            let database = try server.database(ServerKillTests.address, user: user)
            _ = try await database.modifyZones([
                .delete(RecordZone.ID("Gone")), .delete(RecordZone.ID("Again")),
            ])
            _ = try await database.modifyZones([.create(RecordZone.ID("Again"))])
            try await modify("Again", [.init(.create, recordName: "new", recordType: "Note")])
            try await modify(
                "Notes",
                [
                    .init(.forceDelete, recordName: "note0"),
                    .init(
                        .forceUpdate, recordName: "note1", recordType: "Note",
                        fields: ["body": Field(.string("written later"))]),
                    .init(.create, recordName: "note99", recordType: "Note"),
                ])
            try await modify("Album", [.init(.forceDelete, recordName: "photo1")])
        }

        private func modify(_ zone: String, _ operations: [RecordOperation]) async throws {
            let database = try server.database(ServerKillTests.address, user: user)
            let reply = try await database.modifyRecords(
                RecordModifyRequest(operations: operations, zoneID: RecordZone.ID(zone)))
            for case .failure(let name, let error) in reply.records {
                Issue.record("\(zone) \(name): \(error)")
            }
        }

        /// Holds the folder against what the server has now, both read as a stranger would.
        func expectTruth(_ name: String) async throws {
            let checked = try check()
            #expect(checked.status == 0, "\(name): \(checked.errors)")
            let truth = try await held()
            let exported = try written()
            #expect(truth.subtracting(exported) == [], "\(name): not in the export")
            #expect(exported.subtracting(truth) == [], "\(name): not at the server")
            #expect(!truth.isEmpty)
        }

        /// A zone, and a record of it as JSON, without the zone's owner, whom the dump leaves out.
        private static func line(_ zone: String, _ record: [String: Any]) throws -> String {
            let record = record.filter { $0.key != "zoneID" }
            let json = try JSONSerialization.data(withJSONObject: record, options: .sortedKeys)
            return zone + " " + String(decoding: json, as: UTF8.self)
        }

        private static func objects(_ lines: some Sequence<UInt8>) throws -> [[String: Any]] {
            try Array(lines).split(separator: 0x0A).compactMap {
                try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]
            }
        }

        /// By the dump of the server.
        private func held() async throws -> Set<String> {
            var (lines, zone): (Set<String>, String) = ([], "")
            for object in try Self.objects(await server.answer(.get, "dump?user=\(user)")) {
                zone = object["zone"] as? String ?? zone
                guard let record = object["record"] as? [String: Any] else { continue }
                lines.insert(try Self.line(zone, record))
            }
            return lines
        }

        /// By the files that the manifest names, with the bytes of assets counted.
        private func written() throws -> Set<String> {
            let url = URL(fileURLWithPath: folder)
            let manifest =
                try JSONSerialization.jsonObject(
                    with: Data(contentsOf: url.appendingPathComponent("manifest.json")))
                as? [String: Any] ?? [:]
            var lines: Set<String> = []
            for file in manifest["files"] as? [[String: Any]] ?? [] {
                guard let zone = file["zone"] as? String, let path = file["path"] as? String
                else { continue }
                let bytes = try Data(contentsOf: url.appendingPathComponent(path))
                for object in try Self.objects(bytes) {
                    guard let record = object["record"] as? [String: Any] else { continue }
                    lines.insert(try Self.line(zone, record))
                }
            }
            return lines
        }
    }
}

/// Counts from 0, for whoever asks first.
private final class Counter: Sendable {
    private let value = Locked(0)

    func next() -> Int {
        value.withLock { value in
            value += 1
            return value - 1
        }
    }
}
