import CloudModel
import Testing

/// What the service was seen to do at odd times, which only faults bring about here.
struct FaultRowTests {
    private func bench(_ rules: String...) throws -> Bench {
        let bench = try Bench { $0.seed = 1 }
        try bench.make("Notes")
        let list = rules.map { "\"\($0)\"" }.joined(separator: ",")
        try #require(try bench.admin("PUT", "faults", "{\"rules\":[\(list)]}").status == 200)
        return bench
    }

    private func write(
        _ names: [String], atomic: Bool = true, _ bench: Bench
    ) throws -> [Record.Item] {
        let operations = names.map {
            RecordOperation(.forceReplace, recordName: $0, recordType: "Note")
        }
        let request = RecordModifyRequest(
            operations: operations, zoneID: RecordZone.ID("Notes"), atomic: atomic)
        guard case .records(let reply) = try bench.reply(.write(.modifyRecords(request))) else {
            throw CloudError(.unknown)
        }
        return reply.records
    }

    private func changes(_ token: ChangeToken?, _ bench: Bench) throws -> ZoneChangesItem? {
        let request = ZoneChangesRequest(
            zoneID: RecordZone.ID("Notes"), token: token, limit: 2)
        guard case .zoneChanges(let items) = try bench.reply(.read(.zoneChanges([request]))) else {
            throw CloudError(.unknown)
        }
        return items.first
    }

    @Test func `A-36 a save is refused for a reason of the app's own`() throws {
        let bench = try bench(
            "records/modify once -> BAD_REQUEST reason the_plug_in_says_no")
        let error = #expect(throws: CloudError.self) { try write(["a"], bench) }
        #expect(error?.reason == "the_plug_in_says_no")
        #expect(try write(["a"], bench).first?.made != nil)
    }

    @Test func `A-42 an item of a batch that is not atomic fails as if it were`() throws {
        let bench = try bench("records/modify once -> ATOMIC_ERROR on 1 items")
        let request = RecordModifyRequest(
            operations: ["a", "b"].map {
                RecordOperation(.forceReplace, recordName: $0, recordType: "Note")
            }, zoneID: RecordZone.ID("Notes"), atomic: false)
        // As it stands on the wire: our own reader takes nothing for done beside such an item.
        let answer = try #require(try bench.call(.write(.modifyRecords(request))))
        #expect(answer.items.map(\.code) == ["ATOMIC_ERROR", nil])
        #expect(try write(["a"], atomic: false, bench).first?.made != nil)
    }

    @Test func `A-82 a page before an error is of use, and the next fetch goes on behind it`()
        throws
    {
        let bench = try bench("2nd changes/zone once -> INTERNAL_ERROR")
        _ = try write(["a", "b", "c"], bench)
        guard case .page(let page) = try changes(nil, bench) else { throw CloudError(.unknown) }
        #expect(page.records.map(\.recordName) == ["a", "b"] && page.moreComing)
        #expect(throws: CloudError.self) { try changes(page.token, bench) }
        guard case .page(let rest) = try changes(page.token, bench) else {
            throw CloudError(.unknown)
        }
        #expect(rest.records.map(\.recordName) == ["c"] && !rest.moreComing)
    }

    @Test func `A-86 a record that cannot be delivered fails alone in its page`() throws {
        let bench = try bench("changes/zone once -> INTERNAL_ERROR on 1 records")
        _ = try write(["a", "b"], bench)
        guard case .page(let page) = try changes(nil, bench) else { throw CloudError(.unknown) }
        #expect(page.records.map(\.recordName) == ["a", "b"])
        #expect(page.records[0].failure != nil && page.records[1].made != nil)
    }

    @Test func `A-115 a busy zone says when to come again`() throws {
        let bench = try bench("records/modify in zone Notes once -> TRY_AGAIN_LATER retry 3s")
        let error = #expect(throws: CloudError.self) { try write(["a"], bench) }
        #expect(error?.code == .tryAgainLater && error?.retryAfter == .seconds(3))
    }

    @Test func `A-117 what is sent again after an outage arrives once`() throws {
        let bench = try bench("records/modify 3 times -> TRY_AGAIN_LATER")
        for _ in 0..<3 { #expect(throws: CloudError.self) { try write(["a", "b"], bench) } }
        #expect(try write(["a", "b"], bench).allSatisfy { $0.made != nil })
        guard case .page(let page) = try changes(nil, bench) else { throw CloudError(.unknown) }
        #expect(page.records.map(\.recordName) == ["a", "b"])
    }
}

extension Record.Item {
    /// The record, where it is one.
    fileprivate var made: Record? { if case .record(let record) = self { record } else { nil } }
    /// Why it failed, where it did.
    fileprivate var failure: CloudError? {
        if case .failure(_, let error) = self { error } else { nil }
    }
}
