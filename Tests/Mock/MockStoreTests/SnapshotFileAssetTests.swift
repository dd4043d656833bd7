import Foundation
import InProcessMock
import MockStore
import Testing

/// What snapshot files have of assets and of the numbers that rows are known by.
@Suite(.timeLimit(.minutes(10)))
struct SnapshotFileAssetTests {
    private typealias Kept = AssetFileTests.Kept

    private func kept() throws -> Kept {
        let kept = try Kept(try Directory())
        try kept.ada.create("Notes", "Other")
        return kept
    }

    /// Each edit of a file with an asset, and what it is refused with.
    private static let edits = [
        ("UPDATE asset_parts SET bytes = x'6f74686572'", "an asset does not match its digest"),
        ("INSERT INTO asset_parts SELECT digest, 1, bytes FROM asset_parts", "match its digest"),
        ("INSERT INTO asset_parts VALUES ('x', 0, x'00')", "match its digest"),
        ("DELETE FROM asset_parts", "an asset is missing"),
        ("DELETE FROM asset_links", "its rows do not match their digest"),
        ("UPDATE assets SET size = 9", "its rows do not match their digest"),
    ]

    @Test(arguments: edits)
    func `an edited file is refused, and leaves no file of an asset`(
        sql: String, reason: String
    ) throws {
        let origin = try kept()
        try origin.put("these", "a")
        let file = try origin.cloud.snapshotFile().edited(sql)
        let other = try kept()
        let refusal = try #require(throws: MockStoreError.self) { try other.cloud.restore(file) }
        #expect(refusal.description.contains(reason), "\(refusal)")
        #expect(try other.files() == [])
    }

    @Test func `large, small and empty assets come back`() throws {
        let origin = try kept()
        let large = String(repeating: "0123456789abcdef", count: 40_000)
        let texts = ["large": large, "small": "s", "empty": ""]
        for (name, text) in texts { try origin.put(text, name) }
        let other = try kept()
        try other.cloud.restore(try origin.cloud.snapshotFile())
        for (name, text) in texts {
            let record = try #require(try other.ada.lookUp(name).first?.record)
            guard case .asset(let asset)? = record.fields["photo"]?.value,
                let url = asset.downloadURL
            else { throw Odd() }
            #expect(try other.bytes(url) == text, "\(name)")
        }
    }

    @Test func `no upload gets the address of an earlier one`() throws {
        let origin = try kept()
        let file = try origin.cloud.snapshotFile()
        let other = try kept()
        var urls: Set<String> = []
        for _ in 0..<3 { urls.insert(try other.url("a")) }
        try other.cloud.restore(file)
        #expect(try !urls.contains(other.url("a")))
        let snapshot = try other.cloud.snapshot()
        urls.insert(try other.url("a"))
        try other.cloud.restore(snapshot)
        #expect(try !urls.contains(other.url("a")))
    }

    @Test func `on a full disk nothing is restored, and nothing is lost`() throws {
        let origin = try kept()
        for number in 0..<300 {
            try origin.ada.put("n\(number)", ["text": .string(String(repeating: "x", count: 900))])
        }
        let file = try origin.cloud.snapshotFile()
        let other = try kept()
        try other.ada.put("own")
        let small = try other.cloud.snapshot()
        let before = try other.cloud.snapshotFile().data()
        try other.cloud.withStore { try $0.limitSize(pages: 1) }
        let refusal = try #require(throws: MockStoreError.self) { try other.cloud.restore(file) }
        #expect(refusal.code == .diskFull, "\(refusal)")
        #expect(try other.cloud.snapshotFile().data() == before)
        try other.cloud.withStore { try $0.limitSize(pages: 1_000_000) }
        try other.cloud.restore(small)
        #expect(try other.ada.lookUp("own").first?.record != nil)
        try other.cloud.restore(file)
        #expect(try other.ada.lookUp("n299").first?.record != nil)
    }

    @Test func `restored files go with their records`() throws {
        let origin = try kept()
        try origin.put("these", "a")
        let other = try kept()
        try other.cloud.restore(origin.cloud.snapshotFile())
        #expect(try other.names().count == 1)
        try other.ada.one(.forceDelete("a"))
        #expect(try other.files() == [])
    }

    @Test func `what a deleted zone had is in no file, although it is still there`() throws {
        let origin = try kept()
        try origin.put("secret", "a", zone: "Other")
        try origin.ada.put("c", ["text": .string("confidential")], zone: "Other")
        try origin.put("kept", "b")
        try origin.ada.delete(zone: "Other")
        let file = try origin.cloud.snapshotFile()
        #expect(try file.rows(of: "SELECT DISTINCT digest FROM asset_parts").count == 1)
        for gone in ["secret", "confidential"] {
            #expect(!file.contains(gone), "\(gone)")
        }
        #expect(file.contains("kept"))
        let other = try kept()
        try other.cloud.restore(file)
        #expect(try other.names().count == 1)
    }

    @Test func `links between restored records hold`() throws {
        let origin = try World()
        try origin.ada.create("Notes")
        try origin.ada.put("parent")
        try origin.ada.put("child", ["to": .link("parent", .deleteSelf)])
        let other = try World(seed: 8)
        try other.cloud.restore(try origin.cloud.snapshotFile())
        try other.ada.one(.forceDelete("parent"))
        #expect(try !other.ada.exists("child"))
    }

    @Test func `no database is taken for another that had its number before`() throws {
        let origin = try World()
        let bob = origin.database(.private, .user("bob"))
        try bob.create("Bobs")
        try origin.ada.create("Adas")
        let other = try World(seed: 8)
        try other.ada.create("Before")
        try other.cloud.restore(try origin.cloud.snapshotFile())
        #expect(try other.ada.listedNames().contains("Adas"))
        #expect(try !other.ada.listedNames().contains("Bobs"))
        try other.ada.create("New")
        #expect(try !other.database(.private, .user("bob")).listedNames().contains("New"))
    }
}
