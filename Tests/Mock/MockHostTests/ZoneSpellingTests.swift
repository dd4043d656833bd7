import CloudModel
import Testing

/// One zone, named with and without its owner.
struct ZoneSpellingTests {
    private static let spellings = ["", "__defaultOwner__", "_defaultOwner", "caller"]

    private func zone(_ bench: Bench, _ name: String, _ owner: String) throws -> RecordZone.ID {
        guard owner == "caller" else { return RecordZone.ID(name, ownerRecordName: owner) }
        let caller = try #require(try bench.call(.read(.caller))?.json?["userRecordName"]?.string)
        return RecordZone.ID(name, ownerRecordName: caller)
    }

    private func operation(
        _ kind: RecordOperation.Kind, _ name: String, in zone: RecordZone.ID? = nil,
        tag: String? = nil, parent: String? = nil
    ) -> RecordOperation {
        var operation = RecordOperation(kind, recordName: name, recordType: "Note")
        operation.zoneID = zone
        operation.recordChangeTag = tag
        operation.parent = parent.map { Record.Reference($0) }
        return operation
    }

    private func modify(
        _ bench: Bench, _ operations: [RecordOperation], atomic: Bool = true
    ) throws -> [String?] {
        let request = RecordModifyRequest(
            operations: operations, zoneID: RecordZone.ID("Notes"), atomic: atomic)
        let answer = try #require(try bench.call(.write(.modifyRecords(request))))
        #expect(answer.status == 200, "\(answer.text)")
        return answer.items.map(\.code)
    }

    private func exists(_ bench: Bench, _ name: String) throws -> Bool {
        let request = RecordLookupRequest(recordNames: [name], zoneID: RecordZone.ID("Notes"))
        return try bench.call(.read(.lookUpRecords(request)))?.items.map(\.code) == [nil]
    }

    @Test(arguments: spellings)
    func `an atomic batch is one, however its zone is spelled`(owner: String) throws {
        let bench = try Bench()
        try bench.make("Notes")
        _ = try modify(bench, [operation(.create, "b")])
        let other = try zone(bench, "Notes", owner)
        let codes = try modify(
            bench,
            [operation(.create, "a"), operation(.update, "b", in: other, tag: "old")])
        #expect(codes == ["ATOMIC_ERROR", "CONFLICT"])
        #expect(try !exists(bench, "a"))
    }

    @Test(arguments: spellings)
    func `a child finds its parent of the same batch in another spelling`(owner: String) throws {
        let bench = try Bench()
        try bench.make("Notes")
        let other = try zone(bench, "Notes", owner)
        let codes = try modify(
            bench,
            [
                operation(.create, "child", parent: "parent"),
                operation(.create, "parent", in: other),
            ])
        #expect(codes == [nil, nil])
    }

    @Test(arguments: spellings)
    func `a fault on one record fails the whole batch in either spelling`(owner: String) throws {
        let bench = try Bench { $0.seed = 1 }
        try bench.make("Notes")
        let other = try zone(bench, "Notes", owner)
        let rule = "records/modify once -> CONFLICT on 1 items"
        #expect(try bench.admin("PUT", "faults", "{\"rules\":[\"\(rule)\"]}").status == 200)
        let codes = try modify(
            bench, [operation(.create, "a"), operation(.create, "b", in: other)])
        #expect(codes == ["CONFLICT", "ATOMIC_ERROR"])
        #expect(try !exists(bench, "b"))
    }

    @Test func `the zone of another owner is not taken for the caller's`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        let foreign = RecordZone.ID("Notes", ownerRecordName: "_ffffffffffffffff")
        let codes = try modify(
            bench, [operation(.create, "a"), operation(.create, "b", in: foreign)])
        #expect(codes == [nil, "ZONE_NOT_FOUND"])
        #expect(try exists(bench, "a") && !exists(bench, "b"))
        // Two records of one name in two zones are no repetition.
        let same = try modify(
            bench, [operation(.create, "c"), operation(.create, "c", in: foreign)])
        #expect(same == [nil, "ZONE_NOT_FOUND"])
    }

    @Test(arguments: spellings)
    func `one zone twice in a request to modify zones is refused in any spelling`(
        owner: String
    ) throws {
        let bench = try Bench()
        try bench.make("Notes")
        let other = try zone(bench, "Notes", owner)
        let twice = CloudCommand.write(
            .modifyZones([.create(RecordZone.ID("Notes")), .delete(other)]))
        #expect(try bench.call(twice)?.code == "BAD_REQUEST")
        let foreign = RecordZone.ID("Notes", ownerRecordName: "_ffffffffffffffff")
        let items = try bench.call(
            .write(.modifyZones([.create(RecordZone.ID("Notes")), .delete(foreign)])))?.items
        #expect(items?.map { $0.code == nil } == [true, false])
    }
}
