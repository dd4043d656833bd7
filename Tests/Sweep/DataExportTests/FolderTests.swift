import CloudModel
import DataExport
import FileSystem
import Foundation
import OpenSSL
import Testing

/// What an export's folder takes in, and what it refuses.
@Suite(.timeLimit(.minutes(10)))
struct FolderTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    // MARK: Names

    @Test(arguments: [
        "a/b", "..", "../../etc/passwd", "two\nlines", "nul\u{0}", "", "a\u{301}",
        String(repeating: "ä", count: 300),
    ])
    func `no name leads out of the folder, and each comes back as it was`(name: String) async throws
    {
        let folder = try scratch.open()
        let part = try await folder.open(
            ExportPart(.zone, in: scratch.container, .private, zone: name))
        try await folder.take([scratch.item(name + "x")], token: ChangeToken("t"), into: part)
        _ = try await scratch.finish(folder)
        let names = try scratch.files()
        #expect(names.count == 4, "\(names)")
        #expect(try scratch.files().allSatisfy { $0.hasPrefix(scratch.path + "/") })
        let manifest = try JSONSerialization.jsonObject(with: scratch.data("manifest.json"))
        let files = (manifest as? [String: Any])?["files"] as? [[String: Any]]
        let zone = files?.first { $0["kind"] as? String == "zone" }
        #expect(zone?["zone"] as? String == name)
        let line = try scratch.data(zone?["path"] as? String ?? "")
        let record = try JSONSerialization.jsonObject(with: line) as? [String: Any]
        #expect((record?["record"] as? [String: Any])?["recordName"] as? String == name + "x")
        _ = try scratch.check()
    }

    @Test func `two zones whose names run together are two files`() async throws {
        let folder = try scratch.open()
        for (owner, zone) in [("ab", "c"), ("a", "bc")] {
            let part = try await folder.open(
                ExportPart(.zone, in: scratch.container, .shared, zone: zone, owner: owner))
            try await folder.take([scratch.item(owner)], token: ChangeToken("t"), into: part)
        }
        _ = try await scratch.finish(folder)
        #expect(try scratch.check().totals.records == 2)
    }

    // MARK: Places

    @Test func `a folder with anything else in it is left as it is`() async throws {
        try scratch.make()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: scratch.path + "/notes.txt"))
        #expect(throws: (ExportError.self)) { try scratch.open() }
        #expect(try scratch.files() == [scratch.path + "/notes.txt"])
    }

    @Test func `a folder that others can look into is refused`() throws {
        try scratch.make(mode: 0o755)
        #expect(scratch.refusal() == .notPrivate)
    }

    @Test func `two exports do not write into one folder at once`() async throws {
        let first = try scratch.open()
        #expect(scratch.refusal() == .locked)
        _ = try await scratch.finish(first)
        #expect(scratch.refusal() == .otherExport)
    }

    @Test func `an export of another person is not gone on with`() async throws {
        do { _ = try scratch.open() }
        #expect(scratch.refusal(person: "somebody else") == .otherExport)
        #expect(scratch.refusal() == nil)
    }

    @Test func `everything is for its owner only`() async throws {
        let folder = try scratch.open()
        let part = try await folder.open(ExportPart(.zone, in: scratch.container, .private))
        try await folder.take([scratch.item("a")], token: ChangeToken("t"), into: part)
        _ = try await scratch.finish(folder)
        for path in try scratch.files() { #expect(try scratch.mode(path) == 0o600, "\(path)") }
        #expect(try scratch.mode(scratch.path) == 0o700)
    }

    // MARK: Attempts

    @Test func `a feed goes on behind the last page that was taken in, and forgets what has gone`()
        async throws
    {
        let zone = ExportPart(.zone, in: scratch.container, .private, zone: "Notes")
        do {
            let folder = try scratch.open()
            let part = try await folder.open(zone)
            #expect(part.token == nil)
            try await folder.take(
                [scratch.item("b"), scratch.item("a")], token: ChangeToken("1"), into: part)
        }
        #expect(throws: (ExportError.self)) { try scratch.check() }
        let folder = try scratch.open()
        let part = try await folder.open(zone)
        #expect(part.token == ChangeToken("1"))
        try await folder.take(
            [scratch.item("c")], without: ["a"], token: ChangeToken("2"), into: part)
        let receipt = try await scratch.finish(folder)
        #expect(receipt.totals.records == 2 && receipt.isComplete)
        #expect(try scratch.check().manifestDigest == receipt.manifestDigest)
    }

    @Test func `a zone is read anew when the file of one of its assets was lost meanwhile`()
        async throws
    {
        let zone = ExportPart(.zone, in: scratch.container, .private, zone: "Notes")
        let other = ExportPart(.zone, in: scratch.container, .private, zone: "Other")
        do {
            let folder = try scratch.open()
            let part = try await folder.open(zone)
            let asset = Asset(fileChecksum: scratch.checksum([1, 2, 3]), size: 3)
            let draft = try await folder.begin()
            #expect(draft.take([1, 2, 3]))
            let slot = AssetSlot(field: "photo", position: 0)
            let stored = try await folder.keep(draft, as: asset, at: slot, of: "a", in: part)
            let pictured = ExportItem(
                scratch.record("a", ["photo": .asset(asset)]), stored: [slot: stored])
            try await folder.take([pictured], token: ChangeToken("1"), into: part)
            let plain = try await folder.open(other)
            try await folder.take([scratch.item("b")], token: ChangeToken("1"), into: plain)
        }
        let file = try #require(try scratch.files().first { $0.contains("/assets/") })
        try FileManager.default.removeItem(atPath: file)
        let folder = try scratch.open()
        #expect(try await folder.open(zone).token == nil)
        #expect(try await folder.open(other).token == ChangeToken("1"))
        #expect(try await scratch.finish(folder).totals.records == 1)
        _ = try scratch.check()
    }

    @Test func `a page that comes twice is taken in once`() async throws {
        let folder = try scratch.open()
        let part = try await folder.open(ExportPart(.zone, in: scratch.container, .private))
        for token in ["1", "2"] {
            try await folder.take(
                [scratch.item("a"), scratch.item("b")], token: ChangeToken(token), into: part)
        }
        #expect(try await scratch.finish(folder).totals.records == 2)
        #expect(try scratch.check().totals.records == 2)
    }

    @Test func `what an attempt by name does not see again is not in the export`() async throws {
        let records = ExportPart(.records, in: scratch.container, .private)
        do {
            let folder = try scratch.open()
            let part = try await folder.open(records)
            try await folder.take([scratch.item("gone"), scratch.item("here")], into: part)
            _ = try await folder.open(
                ExportPart(.zone, in: scratch.container, .private, zone: "deleted"))
        }
        let folder = try scratch.open()
        let part = try await folder.open(records)
        try await folder.take([scratch.item("here")], into: part)
        let receipt = try await scratch.finish(folder)
        #expect(receipt.totals.records == 1)
        // The records and the list of assets: the zone is gone.
        #expect(receipt.totals.files == 2)
    }

    @Test func `a row that nobody could look at makes an export that is not complete`() async throws
    {
        let folder = try scratch.open()
        let row = ExportRow(
            container: scratch.container, scope: .private, place: "custom zones", subject: "A",
            outcome: "not looked at", reason: "ACCESS_DENIED", found: 0, isOpen: true)
        #expect(try await !scratch.finish(folder, rows: [row]).isComplete)
        let checked = try scratch.check()
        #expect(!checked.isComplete && checked.rows == [row])
    }

    // MARK: Assets

    @Test(arguments: [-1, 0, 1])
    func `an asset that is shorter or longer than its record says is none`(more: Int) async throws {
        let folder = try scratch.open()
        let part = try await folder.open(ExportPart(.zone, in: scratch.container, .private))
        let bytes = [UInt8](repeating: 7, count: 1000)
        let asset = Asset(fileChecksum: scratch.checksum(bytes), size: Int64(bytes.count + more))
        let draft = try await folder.begin()
        #expect(draft.take(bytes))
        let slot = AssetSlot(field: "photo", position: 0)
        let kept = try? await folder.keep(draft, as: asset, at: slot, of: "a", in: part)
        #expect((kept == nil) == (more != 0))
    }

    @Test func `an asset with other bytes than its checksum says is none`() async throws {
        let folder = try scratch.open()
        let part = try await folder.open(ExportPart(.zone, in: scratch.container, .private))
        let asset = Asset(fileChecksum: scratch.checksum([1, 2, 3]), size: 3)
        let draft = try await folder.begin()
        #expect(draft.take([1, 2, 4]))
        let slot = AssetSlot(field: "photo", position: 0)
        await #expect(throws: (ExportError.self)) {
            _ = try await folder.keep(draft, as: asset, at: slot, of: "a", in: part)
        }
    }

    @Test func `an asset that was fetched before is used again, unless its file was changed`()
        async throws
    {
        let asset = Asset(fileChecksum: scratch.checksum([1, 2, 3]), size: 3)
        let slot = AssetSlot(field: "photo", position: 0)
        let zone = ExportPart(.zone, in: scratch.container, .private, zone: "Notes")
        do {
            let folder = try scratch.open()
            let part = try await folder.open(zone)
            let draft = try await folder.begin()
            #expect(draft.take([1, 2, 3]))
            _ = try await folder.keep(draft, as: asset, at: slot, of: "a", in: part)
        }
        let folder = try scratch.open()
        let part = try await folder.open(zone)
        let stored = try await folder.stored(asset, at: slot, of: "a", in: part)
        #expect(stored?.bytes == 3 && stored?.isConfirmed == true)
        #expect(try await folder.stored(asset, at: slot, of: "b", in: part) == nil)
        let file = try #require(try scratch.files().first { $0.contains("/assets/") })
        try Data([1, 2, 4]).write(to: URL(fileURLWithPath: file))
        #expect(try await folder.stored(asset, at: slot, of: "a", in: part) == nil)
    }
}
