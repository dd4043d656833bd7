import CoreSpotlight
import DonationStore
import Foundation
import Testing

/// Batches of named indexes and their client state.
struct BatchTests {
    @Test func `F30 D25 a batch takes effect as it ends`() async throws {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex(name: "notes")
            try await index.indexSearchableItems([Spotlight.item("old")])
            try await spotlight.view("of-old", related: "old")
            index.beginBatch()
            try await index.indexSearchableItems([Spotlight.item("new")])
            try await index.deleteSearchableItems(withIdentifiers: ["old"])
            #expect(try await spotlight.items() == ["old"])
            try await index.endBatch(withClientState: Data([1, 2]))
            #expect(try await spotlight.items() == ["new"])
            #expect(try await spotlight.activities().isEmpty)
            #expect(try await index.fetchLastClientState() == Data([1, 2]))
            #expect(try await CSSearchableIndex(name: "other").fetchLastClientState().isEmpty)
        }
    }

    @Test func `F30 D25 a batch that never ends changes nothing after a restart`() async throws {
        let directory = TemporaryFolder()
        let index = try await Spotlight.run(directory: directory.path) { spotlight in
            let index = CSSearchableIndex(name: "notes")
            try await index.indexSearchableItems([Spotlight.item("old")])
            index.beginBatch()
            try await index.endBatch(withClientState: Data("first".utf8))
            index.beginBatch()
            try await index.indexSearchableItems([Spotlight.item("new")])
            try await index.deleteSearchableItems(withIdentifiers: ["old"])
            return index
        }
        // The first store is gone here, as its process would be.
        try await Spotlight.run(directory: directory.path) { spotlight in
            #expect(try await spotlight.items() == ["old"])
            let state = try await CSSearchableIndex(name: "notes").fetchLastClientState()
            #expect(state == Data("first".utf8))
        }
        _ = index
    }

    @Test(arguments: [(250, true), (251, false), (0, true)])
    func `A19 a client state has at most 250 bytes`(count: Int, isTaken: Bool) async throws {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex(name: "notes")
            let state = Data(repeating: 7, count: count)
            index.beginBatch()
            try await index.indexSearchableItems([Spotlight.item("a")])
            if isTaken {
                try await index.endBatch(withClientState: state)
                #expect(try await index.fetchLastClientState() == state)
                return
            }
            do {
                try await index.endBatch(withClientState: state)
                Issue.record("the state was taken")
            } catch CSIndexError.invalidClientStateError {}
            // The batch is still open, and can end with a shorter state.
            #expect(try await spotlight.items().isEmpty)
            try await index.endBatch(withClientState: Data())
            #expect(try await spotlight.items() == ["a"])
        }
    }

    @Test func `a batch can expect a state, and does nothing when there is another`()
        async throws
    {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex(name: "notes")
            index.beginBatch()
            try await index.indexSearchableItems([Spotlight.item("a")])
            try await index.endIndexBatch(expectedClientState: nil, newClientState: Data([1]))
            index.beginBatch()
            try await index.indexSearchableItems([Spotlight.item("b")])
            do {
                try await index.endIndexBatch(
                    expectedClientState: Data([9]), newClientState: Data([2]))
                Issue.record("the state was taken")
            } catch CSIndexError.mismatchedClientState {
                #expect(try await spotlight.items() == ["a"])
                #expect(try await index.fetchLastClientState() == Data([1]))
            }
            index.beginBatch()
            try await index.endIndexBatch(
                expectedClientState: Data([1]), newClientState: Data([2]))
            #expect(try await index.fetchLastClientState() == Data([2]))
        }
    }

    @Test func `the default index has no batches`() async throws {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex.default()
            index.beginBatch()
            try await index.indexSearchableItems([Spotlight.item("a")])
            #expect(try await spotlight.items() == ["a"])
            await #expect(throws: CSIndexError.self) {
                try await index.endBatch(withClientState: Data())
            }
        }
    }

    @Test func `a second beginning is noticed, an end without beginning refused`() async throws {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex(name: "notes")
            do {
                try await index.endBatch(withClientState: Data())
                Issue.record("there was no batch")
            } catch CSIndexError.indexingUnsupported {}
            index.beginBatch()
            try await index.indexSearchableItems([Spotlight.item("a")])
            index.beginBatch()
            #expect(index.warnings.map(\.code) == [.batchNotOpen, .batchAlreadyOpen])
            try await index.endBatch(withClientState: Data())
            #expect(try await spotlight.items() == ["a"])
        }
    }
}
