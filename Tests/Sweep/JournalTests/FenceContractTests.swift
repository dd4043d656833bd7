import Basics
import CloudModel
import Journal
import Testing

struct FenceContractTests {
    @Test(arguments: JournalKind.all)
    func `S14 a fence stands in its own database only, and says whose it is`(
        kind: JournalKind
    ) async throws {
        let folder = Folder()
        let journal = kind.open(folder)
        let run = try await journal.begin(
            try start("one", containers: ["iCloud.a", "iCloud.b"], began: 77),
            [.subjects(["person in a", "person in b"])]
        ).key
        let (a, b) = (try address(in: "iCloud.a"), try address(in: "iCloud.b"))
        let theirs = RecordZone.ID("Notes", ownerRecordName: "_friend")
        #expect(try await !journal.isFenced(RecordZone.ID("Notes"), at: a))
        try await journal.write(
            [
                .fences(a, zones: [RecordZone.ID("Notes"), RecordZone.ID("Photos")]),
                .fences(b, zones: [theirs]),
            ], run: run)
        let again = kind.open(folder)
        #expect(try await again.isFenced(RecordZone.ID("Notes"), at: a))
        #expect(try await !again.isFenced(RecordZone.ID("Notes"), at: b))
        #expect(try await again.isFenced(theirs, at: b))
        #expect(try await !again.isFenced(theirs, at: a))
        #expect(
            try await !again.isFenced(
                RecordZone.ID("Notes"), at: try address(.shared, in: "iCloud.a")))
        let fences = try await again.fences(limit: 9)
        #expect(fences.map(\.zone) == [RecordZone.ID("Notes"), RecordZone.ID("Photos"), theirs])
        #expect(fences.map(\.user) == ["person in a", "person in a", "person in b"])
        #expect(fences.allSatisfy { $0.run == "one" && $0.at == Timestamp(milliseconds: 77) })
        #expect(fences.map(\.address) == [a, a, b])
    }

    @Test(arguments: JournalKind.all)
    func `a lifted fence is gone, and every change of fences shows`(
        kind: JournalKind
    ) async throws {
        let folder = Folder()
        let journal = kind.open(folder)
        let place = try address()
        let zone = RecordZone.ID("Notes")
        var marks = [try await journal.fenceMark()]
        #expect(try await !journal.unfence(zone, at: place))
        for id in ["one", "two"] {
            let run = try await journal.begin(try start(id), []).key
            try await journal.write([.fences(place, zones: [zone])], run: run)
            marks.append(try await kind.open(folder).fenceMark())
        }
        #expect(try await journal.fences(limit: 9).map(\.run) == ["two"])
        #expect(try await kind.open(folder).unfence(zone, at: place))
        marks.append(try await journal.fenceMark())
        #expect(try await !journal.isFenced(zone, at: place))
        #expect(try await journal.fences(limit: 9).isEmpty)
        #expect(Set(marks).count == marks.count)
    }
}
