import Basics
import CloudModel
import Foundation
import InProcessMock
import MockStore
import SQLite
import Testing

/// Archives of random worlds, and what they are refused for.
@Suite(.timeLimit(.minutes(30))) struct ArchiveTests {
    private static func text(_ archive: [UInt8]) -> String {
        String(decoding: archive, as: UTF8.self)
    }

    private static func lines(_ archive: [UInt8]) -> [String] {
        text(archive).split(separator: "\n").map(String.init)
    }

    /// Where two archives first differ.
    private static func difference(_ one: [UInt8], _ other: [UInt8]) -> String {
        let pairs = zip(lines(one), lines(other))
        guard let pair = pairs.first(where: { $0 != $1 }) else { return "one is longer" }
        return "\(pair.0.prefix(400))\nand\n\(pair.1.prefix(400))"
    }

    // MARK: - Round trips

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `what was imported is exported with the same bytes`(seed: UInt64) throws {
        var run = try ModelTests.Run(seed: seed, options: MockOptions())
        for step in 0..<200 {
            try run.step()
            if step % 50 == 49 { try Self.checkRoundTrip(run.world, "seed \(seed), step \(step)") }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `what was imported of shares is exported with the same bytes`(seed: UInt64) throws {
        var run = try SharingRun(seed: seed)
        for step in 0..<200 {
            try run.step()
            if step % 50 == 49 { try Self.checkRoundTrip(run.world, "seed \(seed), step \(step)") }
        }
    }

    private static func checkRoundTrip(_ world: World, _ place: String) throws {
        let archive = try world.cloud.archive()
        #expect(try world.cloud.archive() == archive, "\(place): exported twice")
        // Another seed, as names are the archive's.
        let other = try World(seed: 99)
        try other.cloud.replace(with: archive)
        let again = try other.cloud.archive()
        #expect(again == archive, "\(place): \(difference(archive, again))")
        // Where there was something else before.
        let used = try World(seed: 98)
        try used.ada.create("Before")
        try used.ada.put("gone", zone: "Before")
        try used.cloud.replace(with: archive)
        let third = try used.cloud.archive()
        #expect(third == archive, "\(place): \(difference(archive, third))")
        // What the background has still to remove is in no archive.
        while try world.cloud.withStore({ try $0.purgeSome() }) {}
        #expect(try world.cloud.archive() == archive, "\(place): after the purge")
    }

    /// Clients go on with the tokens that they had.
    @Test(arguments: [(11, 0), (12, 2), (13, 0), (14, 1)] as [(UInt64, Int)])
    func `an imported world does what a naive model says`(seed: UInt64, emptyPages: Int) throws {
        var options = MockOptions()
        options.emptyPages = emptyPages
        var run = try ModelTests.Run(seed: seed, options: options)
        for _ in 0..<3 {
            for _ in 0..<150 { try run.step() }
            try run.moveToArchive()
        }
        for _ in 0..<150 { try run.step() }
        try run.finish()
    }

    /// What a new table holds is in archives, or it is said here why not.
    @Test func `every table of the store is in archives, or follows from others, or is not to be`()
        throws
    {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("archive-\(ProcessInfo.processInfo.globallyUniqueString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let clock = WallClock { Timestamp(milliseconds: 0) }
        do {
            _ = try MockCloud(location: .directory(folder.path), clock: clock)
        }
        let connection = try Connection(.file(folder.path + "/store.sqlite"))
        let tables = try connection.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).compactMap { $0[0].string }
        let others = [
            // A line of its own.
            "meta",
            // Follow from records, and of "assets" the lines.
            "names", "links", "asset_links", "assets",
            // Nobody sees what is in them.
            "doomed", "uploads",
            // Of the server's own credentials.
            "spent_runs", "spent_tokens", "expired_web_tokens",
        ]
        #expect(Set(tables) == Set(ArchiveSection.tables + others))
    }

    // MARK: - Tokens

    /// A world with a zone of two records, and tokens of its feed.
    private func journal() throws -> (world: World, tokens: [ChangeToken]) {
        let world = try World()
        try world.ada.create("Notes")
        var tokens: [ChangeToken] = []
        for name in ["one", "two"] {
            try world.ada.put(name, ["n": .int64(1)])
            tokens.append(try world.ada.drain(nil, zone: "Notes", limit: 200).token)
        }
        return (world, tokens)
    }

    /// How a token is answered: what it is told of, or the error's code.
    private func answer(_ token: ChangeToken, _ world: World) throws -> String {
        do {
            return try world.ada.feed(token).records.map { item in
                switch item {
                case .record(let record): record.id.recordName
                case .deleted(let name, _): "-" + name
                case .failure(let name, _): "?" + name
                }
            }.joined(separator: " ")
        } catch let error as CloudError {
            return error.code.rawValue
        }
    }

    @Test func `tokens from before an export go on in a new server, later ones are expired`() throws
    {
        let (origin, tokens) = try journal()
        let archive = try origin.cloud.archive()
        try origin.ada.put("three")
        let later = try origin.ada.drain(nil, zone: "Notes", limit: 200).token
        let world = try World(seed: 8)
        try world.cloud.replace(with: archive)
        #expect(try answer(tokens[0], world) == "two")
        #expect(try answer(tokens[1], world) == "")
        #expect(try answer(later, world) == "BAD_REQUEST")
        try world.ada.put("other")
        try world.ada.put("more")
        #expect(try answer(tokens[1], world) == "other more")
        // It would be caught up with two records less, if it were taken for one of this server's.
        #expect(try answer(later, world) == "BAD_REQUEST")
    }

    @Test func `no token from before an import is good where there were others`() throws {
        let (origin, tokens) = try journal()
        let (used, own) = try journal()
        try used.ada.put("own")
        let last = try used.ada.drain(nil, zone: "Notes", limit: 200).token
        try used.cloud.replace(with: try origin.cloud.archive())
        for token in tokens + own + [last] {
            #expect(try answer(token, used) == "BAD_REQUEST")
        }
        let now = try used.ada.drain(nil, zone: "Notes", limit: 200).token
        #expect(try answer(now, used) == "")
    }

    @Test func `a token from between an import and an unchanged export goes on`() throws {
        let (origin, _) = try journal()
        let first = try World(seed: 8)
        try first.cloud.replace(with: try origin.cloud.archive())
        let token = try first.ada.drain(nil, zone: "Notes", limit: 200).token
        let second = try World(seed: 9)
        try second.cloud.replace(with: try first.cloud.archive())
        try second.ada.put("new")
        #expect(try answer(token, second) == "new")
        // What the first server did on its own is none of it.
        try first.ada.put("elsewhere")
        let late = try first.ada.drain(nil, zone: "Notes", limit: 200).token
        #expect(try answer(late, second) == "BAD_REQUEST")
    }

    // MARK: - What is refused

    private struct Broken: CustomTestStringConvertible {
        let testDescription: String
        let reason: String
        let change: @Sendable (inout [String]) -> Void

        init(_ reason: String, _ change: @escaping @Sendable (inout [String]) -> Void) {
            (testDescription, self.reason) = (reason, reason)
            self.change = change
        }
    }

    /// Replaces a text in the first line of a kind.
    private static func replacing(
        _ kind: String, _ old: String, _ new: String
    ) -> @Sendable (inout [String]) -> Void {
        { lines in
            let place = lines.firstIndex { $0.hasPrefix("{\"\(kind)\"") } ?? 0
            lines[place] = lines[place].replacingOccurrences(of: old, with: new)
        }
    }

    private static let broken = [
        Broken("line 1, column 1: an archive begins") { $0.removeFirst() },
        Broken("line 1, column 12: the format 2 is newer", replacing("archive", "1", "2")),
        Broken("line 2, column 1: expected the line \"world\"") { $0.remove(at: 1) },
        Broken("is not JSON", replacing("user", "{\"user\"", "{user\"")),
        Broken("must be a user's name", replacing("user", "\"ada\"", "\"a da\"")),
        Broken("did you mean \"user\"?", replacing("user", "{\"user\"", "{\"usr\"")),
        Broken("a user has no \"givn\"", replacing("user", "\"given\"", "\"givn\"")),
        Broken("must be a whole number", replacing("zone", "\"seq\":2", "\"seq\":-2")),
        Broken("expected: \"name\"", replacing("user", "{\"name\"", "{ \"name\"")),
        Broken("this part of a record", replacing("record", "\"INT64\"", "\"INT46\"")),
        Broken("this part of a record", replacing("record", "\"INT64\",", "\"INT64\",1,")),
        Broken("or is repeated") { lines in
            let place = lines.firstIndex { $0.hasPrefix("{\"record\"") } ?? 0
            lines.insert(lines[place], at: place)
        },
        Broken("must be before the previous line") { lines in
            let place = lines.firstIndex { $0.hasPrefix("{\"record\"") } ?? 0
            lines.swapAt(place, place + 1)
        },
        Broken("a user is after") { lines in lines.insert(lines[3], at: lines.count - 1) },
        Broken("without the line \"end\"") { $0.removeLast() },
        Broken("expected: ", replacing("end", "\"sha256\":\"", "\"sha256\":\"0")),
        Broken("expected: ") { $0.remove(at: $0.count - 2) },
        Broken("nothing may follow") { $0.append($0[3]) },
    ]

    @Test(arguments: broken)
    private func `a broken archive is refused with its place, and changes nothing`(
        broken: Broken
    ) throws {
        let (origin, _) = try journal()
        var lines = Self.lines(try origin.cloud.archive())
        broken.change(&lines)
        let (world, tokens) = try journal()
        let before = try world.cloud.archive()
        let refusal = #expect(throws: MockStoreError.self) {
            try world.cloud.replace(with: Array((lines.joined(separator: "\n") + "\n").utf8))
        }
        let reason = try #require(refusal?.description)
        #expect(reason.contains(broken.reason), "\(reason)")
        #expect(try world.cloud.archive() == before)
        #expect(try answer(tokens[0], world) == "two")
        try world.ada.put("goes on")
    }

    @Test func `an archive that was cut anywhere is refused`() throws {
        let (origin, _) = try journal()
        let archive = try origin.cloud.archive()
        let world = try World(seed: 8)
        let before = try world.cloud.archive()
        for end in stride(from: 0, to: archive.count, by: 7) {
            #expect(throws: MockStoreError.self, "cut at \(end)") {
                try world.cloud.replace(with: Array(archive[..<end]))
            }
        }
        #expect(try world.cloud.archive() == before)
    }

    @Test(arguments: [
        ("database", "a zone without a database"), ("zone", "a record without a zone"),
        ("user", "without a user"),
    ])
    func `an archive whose rows do not hang together is refused`(
        kind: String, reason: String
    ) throws {
        let (origin, _) = try journal()
        var lines = Self.lines(try origin.cloud.archive())
        lines.removeAll { $0.hasPrefix("{\"\(kind)\"") }
        let text = lines.dropLast().map { $0 + "\n" }.joined()
        let archive = ArchiveSeal.sealed(Array(text.utf8))
        let world = try World(seed: 8)
        let refusal = #expect(throws: MockStoreError.self) {
            try world.cloud.replace(with: archive)
        }
        #expect(refusal?.description.contains(reason) == true, "\(String(describing: refusal))")
    }

    // MARK: - Snapshots

    @Test func `an import forgets snapshots, and a refused one does not`() throws {
        let (origin, _) = try journal()
        let archive = try origin.cloud.archive()
        let (world, _) = try journal()
        let name = try world.cloud.snapshot()
        try world.ada.put("after")
        #expect(throws: MockStoreError.self) {
            try world.cloud.replace(with: Array(archive.dropLast(20)))
        }
        try world.cloud.restore(name)
        #expect(try world.ada.lookUp("after").first?.record == nil)
        try world.cloud.replace(with: archive)
        #expect(throws: (any Error).self) { try world.cloud.restore(name) }
        let other = try world.cloud.snapshot()
        try world.ada.put("later")
        try world.cloud.restore(other)
        #expect(try world.ada.lookUp("later").first?.record == nil)
        #expect(try world.ada.lookUp("two").first?.record != nil)
    }
}
