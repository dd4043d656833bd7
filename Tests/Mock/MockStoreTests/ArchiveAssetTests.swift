import Foundation
import MockStore
import Testing

/// What archives have of assets and of the numbers that rows are known by.
@Suite(.timeLimit(.minutes(10)))
struct ArchiveAssetTests {
    private typealias Kept = AssetFileTests.Kept

    private func kept() throws -> Kept {
        let kept = try Kept(try Directory())
        try kept.ada.create("Notes", "Other")
        return kept
    }

    /// Changes the lines of an archive, and ends it anew.
    private func edited(
        _ archive: [UInt8], _ change: (inout [String]) -> Void
    ) throws -> [UInt8] {
        var lines = String(decoding: archive, as: UTF8.self).split(separator: "\n")
            .dropLast().map(String.init)
        let before = lines
        change(&lines)
        try #require(lines != before)
        return ArchiveSeal.sealed(Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// Each edit of an archive with an asset, and what it is refused with.
    private static let edits: [(String, @Sendable (inout [String]) -> Void)] = [
        (
            "the bytes of the asset do not match its digest",
            { lines in
                for place in lines.indices where lines[place].hasPrefix("{\"bytes\"") {
                    lines[place] = #"{"bytes":"b3RoZXI="}"#
                }
            }
        ),
        (
            "the archive has an asset without a record",
            { lines in lines.removeAll { $0.hasPrefix("{\"record\"") } }
        ),
        (
            "a record whose asset is missing",
            { lines in
                lines.removeAll { $0.hasPrefix("{\"asset\"") || $0.hasPrefix("{\"bytes\"") }
            }
        ),
        (
            "expected more bytes of the asset",
            { lines in lines.removeAll { $0.hasPrefix("{\"bytes\"") } }
        ),
        (
            "as the last",
            { lines in
                for place in lines.indices where lines[place].hasPrefix("{\"store\"") {
                    lines[place].replace(#/"incarnation":\d+/#, with: #""incarnation":1"#)
                }
            }
        ),
    ]

    @Test(arguments: 0..<5)
    func `an edited archive is refused although its end fits, and leaves no file`(
        edit: Int
    ) throws {
        let (reason, change) = Self.edits[edit]
        let origin = try kept()
        try origin.put("these", "a")
        let archive = try edited(origin.cloud.archive(), change)
        let other = try kept()
        let refusal = try #require(throws: MockStoreError.self) {
            try other.cloud.replace(with: archive)
        }
        let isEnd = reason == "expected more bytes of the asset"
        #expect(
            refusal.description.contains(reason) || isEnd && refusal.description.contains("asset"),
            "\(refusal)")
        #expect(try other.files() == [])
    }

    @Test func `imported files go with their records`() throws {
        let origin = try kept()
        try origin.put("these", "a")
        let other = try kept()
        try other.cloud.replace(with: origin.cloud.archive())
        #expect(try other.names().count == 1)
        try other.ada.one(.forceDelete("a"))
        #expect(try other.files() == [])
    }

    @Test func `what a deleted zone had is in no archive, although it is still there`() throws {
        let origin = try kept()
        try origin.put("secret", "a", zone: "Other")
        try origin.put("kept", "b")
        try origin.ada.delete(zone: "Other")
        let archive = String(decoding: try origin.cloud.archive(), as: UTF8.self)
        #expect(archive.matches(of: #/\{"asset":/#).count == 1)
        let other = try kept()
        try other.cloud.replace(with: Array(archive.utf8))
        #expect(try other.names().count == 1)
    }

    @Test func `links between imported records hold`() throws {
        let origin = try World()
        try origin.ada.create("Notes")
        try origin.ada.put("parent")
        try origin.ada.put("child", ["to": .link("parent", .deleteSelf)])
        let other = try World(seed: 8)
        try other.cloud.replace(with: try origin.cloud.archive())
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
        try other.cloud.replace(with: try origin.cloud.archive())
        #expect(try other.ada.listedNames().contains("Adas"))
        #expect(try !other.ada.listedNames().contains("Bobs"))
        try other.ada.create("New")
        #expect(try !other.database(.private, .user("bob")).listedNames().contains("New"))
    }
}
