import CloudModel
import DataExport
import FileSystem
import Foundation
import Testing

/// What is found out about an export that somebody has changed, and how two differ.
@Suite(.timeLimit(.minutes(10)))
struct AuditTests {
    /// An export of one record with an asset, and of two without.
    private func made(_ body: String = "one") async throws -> Scratch {
        let scratch = try Scratch()
        let folder = try scratch.open()
        let part = try await folder.open(
            ExportPart(.zone, in: scratch.container, .private, zone: "Notes"))
        let bytes = Array("a photograph".utf8)
        let asset = Asset(fileChecksum: scratch.checksum(bytes), size: Int64(bytes.count))
        let draft = try await folder.begin()
        _ = draft.take(bytes)
        let slot = AssetSlot(field: "photo", position: 0)
        let stored = try await folder.keep(draft, as: asset, at: slot, of: "a", in: part)
        let pictured = ExportItem(
            scratch.record("a", ["photo": .asset(asset)]), stored: [slot: stored])
        try await folder.take(
            [pictured, scratch.item("b", ["body": .string(body)]), scratch.item(body)],
            token: ChangeToken("t"), into: part)
        _ = try await scratch.finish(folder)
        return scratch
    }

    private func damage(_ scratch: Scratch) -> ExportError.Code? {
        do {
            _ = try scratch.check()
            return nil
        } catch let error as ExportError {
            return error.code
        } catch {
            return .inputOutput
        }
    }

    @Test func `an export as it was written is whole`() async throws {
        let scratch = try await made()
        let export = try scratch.check()
        #expect(export.isComplete && export.totals.records == 3 && export.totals.assets == 1)
        #expect(export.totals.assetBytes == 12)
    }

    @Test func `a changed byte in any file is found`() async throws {
        let scratch = try await made()
        let files = try scratch.files().filter { !$0.hasSuffix("export.lock") }
        #expect(files.count == 4)
        for path in files {
            let url = URL(fileURLWithPath: path)
            let whole = try Data(contentsOf: url)
            for index in [0, whole.count / 2, whole.count - 1] {
                var changed = whole
                changed[index] ^= 1
                try changed.write(to: url)
                #expect(damage(scratch) == .damaged, "\(path) at \(index)")
            }
            try whole.dropLast().write(to: url)
            #expect(damage(scratch) == .damaged, "\(path) cut")
            try FileManager.default.removeItem(at: url)
            #expect(damage(scratch) != nil, "\(path) missing")
            try whole.write(to: url)
            #expect(damage(scratch) == nil)
        }
    }

    @Test(arguments: ["stray", "records/stray.jsonl", "assets/00/stray"])
    func `a file that the manifest does not name is found`(name: String) async throws {
        let scratch = try await made()
        let url = URL(fileURLWithPath: scratch.path + "/" + name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: url)
        #expect(damage(scratch) == .damaged)
    }

    @Test func `no manifest leads out of the folder, and no link is followed`() async throws {
        let scratch = try await made()
        let text = String(decoding: try scratch.data("manifest.json"), as: UTF8.self)
        let url = URL(fileURLWithPath: scratch.path + "/manifest.json")
        try Data(text.replacing("\"assets.jsonl\"", with: "\"../assets.jsonl\"").utf8)
            .write(to: url)
        #expect(damage(scratch) == .damaged)
        try Data(text.utf8).write(to: url)
        let asset = try #require(try scratch.files().first { $0.contains("/assets/") })
        let aside = scratch.path + ".aside"
        try FileManager.default.moveItem(atPath: asset, toPath: aside)
        defer { try? FileManager.default.removeItem(atPath: aside) }
        try FileManager.default.createSymbolicLink(atPath: asset, withDestinationPath: aside)
        #expect(damage(scratch) == .damaged)
    }

    /// Each fits into the manifest, and no more than a few of them fit into a sum.
    @Test(
        arguments: ["assetBytes", "bytes", "count", "shares"],
        [
            "9223372036854775807", "9007199254740991", "-1",
        ])
    func `a number that no export has damages the manifest`(
        key: String, number: String
    ) async throws {
        let scratch = try await made()
        let text = String(decoding: try scratch.data("manifest.json"), as: UTF8.self)
        let changed = text.replacing(try Regex("\"\(key)\":[0-9]+"), with: "\"\(key)\":\(number)")
        try #require(changed != text)
        try Data(changed.utf8).write(to: URL(fileURLWithPath: scratch.path + "/manifest.json"))
        #expect(damage(scratch) == .damaged)
    }

    @Test func `two exports differ in what has come, gone and changed`() async throws {
        let (old, new) = (try await made("one"), try await made("two"))
        var found: [ExportDifference] = []
        let comparison = ExportComparison(
            of: old.path, with: new.path, in: Files(workingFolder: "/"))
        let tally = try comparison.run { found.append($0) }
        let place = { (change: ExportDifference.Change, name: String, fields: [String]) in
            ExportDifference.item(
                change, old.container, .private, zone: "Notes", name: name, fields: fields)
        }
        #expect(
            found == [
                place(.changed, "b", ["body"]), place(.removed, "one", []),
                place(.added, "two", []),
            ])
        #expect(tally.added == 1 && tally.removed == 1 && tally.changed == 1)
        let same = ExportComparison(of: old.path, with: old.path, in: Files(workingFolder: "/"))
        #expect(try same.run { _ in }.isEmpty)
    }
}
