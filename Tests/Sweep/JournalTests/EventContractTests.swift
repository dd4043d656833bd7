import Journal
import Testing

struct EventContractTests {
    @Test(arguments: JournalKind.all)
    func `events form one chain for each run, whoever adds to it`(kind: JournalKind) async throws {
        let folder = Folder()
        let (one, two) = (kind.open(folder), kind.open(folder))
        let first = try await one.begin(try start("one"), [.event([1])]).key
        let second = try await two.begin(try start("two"), []).key
        try await two.write([.event([2]), .event([3])], run: first)
        try await one.write([.event([9])], run: second)
        try await one.write([.event([4])], run: first)
        let events = try await kind.open(folder).events(run: first, from: 0, limit: 9)
        #expect(events.map(\.number) == [0, 1, 2, 3])
        #expect(events.map(\.body) == [[1], [2], [3], [4]])
        let chain = try await kind.open(folder).verifyChain(run: first)
        #expect(chain.count == 4 && chain.head == events[3].hash)
        #expect(try await one.verifyChain(run: second).count == 1)
        #expect(try await one.events(run: first, from: 2, limit: 1).map(\.body) == [[3]])
    }

    @Test(arguments: JournalKind.all)
    func `a run without events has the root of all chains`(kind: JournalKind) async throws {
        let journal = kind.open(Folder())
        let run = try await journal.begin(try start("one"), []).key
        let chain = try await journal.verifyChain(run: run)
        #expect(chain.count == 0 && chain.head == [UInt8](repeating: 0, count: 32))
    }
}
