import Basics
import CloudModel
import Testing

@Suite struct RecordTests {
    private func world(_ depth: Depth, isAlone: Bool = false) async throws -> World {
        let world = try World(depth, isAlone: isAlone)
        try await world.ada.create("Notes", "Other")
        return world
    }

    @Test(arguments: Depth.allCases)
    func `C-21 and C-22 a record gets a tag, and another with each write`(depth: Depth) async throws
    {
        let world = try await world(depth)
        let first = try await world.ada.put("a", ["n": .int64(1)])
        let item = try await world.ada.one(
            .make(.update, "a", ["n": .int64(2)], tag: first.recordChangeTag))
        let second = try #require(item.record)
        #expect(!first.recordChangeTag.isEmpty)
        #expect(second.recordChangeTag != first.recordChangeTag)
        #expect(second.fields["n"]?.value == .int64(2))
        #expect(second.created == first.created)
    }

    @Test(arguments: Depth.allCases, [RecordOperation.Kind.update, .replace, .delete])
    func `C-23 a stale tag conflicts`(depth: Depth, kind: RecordOperation.Kind) async throws {
        let world = try await world(depth)
        let old = try await world.ada.put("a", ["n": .int64(1)])
        try await world.ada.put("a", ["n": .int64(2)])
        let item = try await world.ada.one(.make(kind, "a", tag: old.recordChangeTag))
        #expect(item.code == .conflict)
        #expect(item.error?.reason == "client oplock error updating record")
        #expect(
            try await world.ada.lookUp("a").first?.record?.fields["n"]?.value == .int64(2))
    }

    @Test(arguments: Depth.allCases)
    func `C-24 creating a record that exists is a conflict`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("a", ["n": .int64(1)])
        let item = try await world.ada.one(.make(.create, "a", ["n": .int64(2)]))
        #expect(item.code == .conflict)
        #expect(item.error?.reason == "record to insert already exists")
    }

    @Test(arguments: Depth.allCases, [RecordOperation.Kind.update, .replace, .delete])
    func `C-25 and C-30 a tagged write to a record that is gone is not found`(
        depth: Depth, kind: RecordOperation.Kind
    ) async throws {
        let world = try await world(depth)
        let tag = try await world.ada.put("a").recordChangeTag
        try await world.ada.one(.forceDelete("a"))
        #expect(try await world.ada.one(.make(kind, "a", tag: tag)).code == .notFound)
        #expect(try await world.ada.one(.make(kind, "never", tag: tag)).code == .notFound)
    }

    @Test(arguments: Depth.allCases, [RecordOperation.Kind.update, .replace, .delete])
    func `a missing tag refuses the whole request`(
        depth: Depth, kind: RecordOperation.Kind
    ) async throws {
        let world = try await world(depth)
        try await world.ada.put("a")
        for tag in [nil, ""] {
            let request = RecordModifyRequest(
                operations: [.make(.forceUpdate, "b"), .make(kind, "a", tag: tag)],
                zoneID: RecordZone.ID("Notes"), atomic: false)
            let refusal = await world.ada.refusal(.write(.modifyRecords(request)))
            #expect(refusal?.code == .badRequest)
            #expect(refusal?.reason == "missing required field 'recordChangeTag'")
        }
        #expect(try await !world.ada.exists("b"))
        #expect(try await world.ada.exists("a"))
    }

    @Test(
        arguments: Depth.allCases,
        [
            (RecordOperation.Kind.forceUpdate, ["kept": FieldValue.int64(1), "n": .int64(2)]),
            (.update, ["kept": .int64(1), "n": .int64(2)]),
            (.forceReplace, ["n": .int64(2)]), (.replace, ["n": .int64(2)]),
        ])
    func `C-26, C-27 and C-37 updates merge, replacements drop what is not sent`(
        depth: Depth, row: (RecordOperation.Kind, [String: FieldValue])
    ) async throws {
        let (kind, expected) = row
        let world = try await world(depth)
        let tag = try await world.ada.put("a", ["kept": .int64(1), "n": .int64(1)]).recordChangeTag
        let item = try await world.ada.one(.make(kind, "a", ["n": .int64(2)], tag: tag))
        #expect(item.record?.fields.mapValues(\.value) == expected)
        #expect(try await world.ada.lookUp("a").first?.record == item.record)
    }

    @Test(arguments: Depth.allCases, [RecordOperation.Kind.forceUpdate, .forceReplace, .create])
    func `C-37 forced writes and creations make a missing record`(
        depth: Depth, kind: RecordOperation.Kind
    ) async throws {
        let world = try await world(depth)
        #expect(try await world.ada.one(.make(kind, "new", ["n": .int64(1)])).record != nil)
    }

    @Test(
        arguments: Depth.allCases,
        [
            (RecordOperation.make(.create, "b", type: nil), "recordType"),
            (.make(.forceUpdate, "b", type: ""), "recordType"),
            (.make(.forceReplace, "b", type: nil), "recordType"),
            (.make(.update, nil, tag: "1"), "recordName"), (.make(.forceDelete, ""), "recordName"),
        ])
    func `an operation that leaves out what it needs refuses the whole request`(
        depth: Depth, row: (RecordOperation, String)
    ) async throws {
        let world = try await world(depth)
        let request = RecordModifyRequest(
            operations: [.make(.create, "a"), row.0], zoneID: RecordZone.ID("Notes"))
        let refusal = await world.ada.refusal(.write(.modifyRecords(request)))
        #expect(refusal?.code == .badRequest)
        #expect(refusal?.reason == "missing required field 'operations[1].record.\(row.1)'")
        #expect(try await !world.ada.exists("a"))
    }

    @Test(arguments: Depth.allCases)
    func `a null clears a field`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("a", ["n": .int64(1), "m": .int64(2)])
        var operation = RecordOperation.make(.forceUpdate, "a")
        operation.fields = ["n": nil]
        #expect(try await world.ada.one(operation).record?.fields.keys.sorted() == ["m"])
    }

    @Test(arguments: Depth.allCases)
    func `C-29 an answer carries the server's time, user and device`(depth: Depth) async throws {
        let world = try await world(depth, isAlone: true)
        let first = try await world.ada.put("a")
        let name = try await world.name("ada")
        #expect(
            first.created
                == Record.Stamp(
                    timestamp: World.start, userRecordName: name,
                    deviceID: "2"))
        world.advance(5000)
        let second = try await world.ada.put("a")
        #expect(second.modified.timestamp == world.now)
        #expect(second.created == first.created)
        #expect(name.hasPrefix("_") && name.utf8.count == 33)
    }

    @Test(arguments: Depth.allCases)
    func `C-31 a missing record of a lookup fails alone, in the order asked`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        try await world.ada.put("a")
        try await world.ada.put("b")
        let items = try await world.ada.lookUp("b", "gone", "a")
        #expect(items.map(\.recordName) == ["b", "gone", "a"])
        #expect(items.map(\.code) == [nil, .notFound, nil])
    }

    @Test(arguments: Depth.allCases)
    func `C-32 tags are never used twice, not even after a batch was undone`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        var seen: Set<String> = []
        for round in 0..<20 {
            let record = try await world.ada.put("a", ["n": .int64(Int64(round))])
            #expect(seen.insert(record.recordChangeTag).inserted)
            _ = try await world.ada.modify([.make(.forceUpdate, "b"), .make(.create, "a")])
            try await world.ada.one(.forceDelete("a"))
            let other = try await world.ada.put("c", zone: "Other")
            #expect(seen.insert(other.recordChangeTag).inserted)
        }
        let feed = try await world.ada.drain()
        for case .deleted(_, let tag?) in feed.items { #expect(seen.insert(tag).inserted) }
    }

    @Test(arguments: Depth.allCases)
    func `C-33 a record created again is new, and its tombstone leaves the feed`(depth: Depth)
        async throws
    {
        let world = try await world(depth, isAlone: true)
        let first = try await world.ada.put("a")
        try await world.ada.one(.forceDelete("a"))
        world.advance(1000)
        let second = try #require(try await world.ada.one(.make(.create, "a")).record)
        #expect(second.created != first.created)
        #expect(second.recordChangeTag != first.recordChangeTag)
        #expect(try await world.ada.drain().items == [.record(second)])
    }

    @Test(
        arguments: Depth.allCases,
        [
            ("a", true), (String(repeating: "n", count: 255), true), ("with space", true),
            (String(repeating: "n", count: 256), false), ("_system", false), ("naïve", false),
        ])
    func `C-34 record names are ASCII, at most 255, without a leading underscore`(
        depth: Depth, row: (String, Bool)
    ) async throws {
        let (name, isValid) = row
        let item = try await world(depth).ada.one(.make(.create, name))
        #expect(item.code == (isValid ? nil : .badRequest))
    }

    /// The framework stores names that Apple's headers exclude.
    @Test(arguments: Depth.allCases)
    func `with asciiNames false names have up to 255 UTF-16 units`(depth: Depth) async throws {
        let world = try await world(depth, isAlone: true)
        try await world.service.set(#"{"asciiNames": false}"#) { $0.asciiNames = false }
        let names = [
            "café-🫖", "the\u{301}-🫖", String(repeating: "é", count: 250),
            String(repeating: "🫖", count: 127),
        ]
        let refused = [
            String(repeating: "é", count: 256), String(repeating: "🫖", count: 128), "_é", "é\n",
        ]
        let reply = try await world.ada.modify(
            (names + refused).map { .make(.create, $0, ["own": .string($0)]) }, atomic: false)
        #expect(
            reply.records.map(\.code) == names.map { _ in nil } + refused.map { _ in .badRequest })
        for name in names {
            let found = try await world.ada.lookUp(name).first?.record
            #expect(found.map { Array($0.id.recordName.utf8) } == Array(name.utf8))
        }
        #expect(try await world.ada.drain().items.count == names.count)
        #expect(
            try await world.ada.one(
                .make(.create, "link", ["to": .reference(Record.Reference(names[1]))])
            ).code == nil)
        let deleted = try await world.ada.modify(names.map { .forceDelete($0) }, atomic: false)
        #expect(deleted.records.allSatisfy { $0.code == nil })
        for name in names { #expect(try await world.ada.lookUp(name).first?.code == .notFound) }
        #expect(try await world.ada.create("Für später").first?.code == nil)
    }

    @Test(arguments: Depth.allCases, ["1st", "with space", "_x", "naïve", "a.b"])
    func `types and fields begin with a letter and go on with letters, digits and _`(
        depth: Depth, name: String
    ) async throws {
        let world = try await world(depth)
        #expect(try await world.ada.one(.make(.create, "a", type: name)).code == .badRequest)
        #expect(
            try await world.ada.one(.make(.create, "a", [name: .int64(1)])).code == .badRequest)
    }

    @Test(arguments: Depth.allCases)
    func `C-34 and C-49 a record over 1 MB fails alone`(depth: Depth) async throws {
        let world = try await world(depth)
        let large = FieldValue.bytes([UInt8](repeating: 7, count: 1 << 20))
        let reply = try await world.ada.modify(
            [.make(.create, "large", ["data": large]), .make(.create, "small")], atomic: false)
        #expect(reply.records.map(\.code) == [.badRequest, nil])
    }

    @Test(arguments: Depth.allCases)
    func `C-35 a value of another type than the field's names the expected one`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        try await world.ada.put("a", ["when": .timestamp(Timestamp(milliseconds: 1))])
        let item = try await world.ada.one(.make(.forceUpdate, "a", ["when": .string("soon")]))
        #expect(item.code == .badRequest)
        #expect(item.error?.reason == "Invalid value, expected type TIMESTAMP.")
        // The other environment has a schema of its own.
        let production = world.database(.private, .user("ada"), .production)
        try await production.create("Notes")
        #expect(
            try await production.one(.make(.create, "a", ["when": .string("soon")])).record != nil)
    }

    @Test(arguments: Depth.allCases)
    func `a field learned in a batch that was undone is not known`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("a")
        _ = try await world.ada.modify([.make(.create, "b", ["f": .int64(1)]), .make(.create, "a")])
        #expect(try await world.ada.one(.make(.create, "c", ["f": .string("x")])).record != nil)
    }

    @Test(arguments: Depth.allCases)
    func `an untyped value takes the field's type where nothing is lost`(depth: Depth) async throws
    {
        let world = try await world(depth, isAlone: true)
        try await world.ada.put(
            "a",
            [
                "when": .timestamp(Timestamp(milliseconds: 1)), "price": .double(0.5),
                "data": .bytes([1]),
            ])
        var operation = RecordOperation.make(.forceUpdate, "a")
        operation.fields = [
            "when": Field(.int64(9), isTyped: false), "price": Field(.int64(3), isTyped: false),
            "data": Field(.string("AQID"), isTyped: false),
        ]
        let fields = try #require(try await world.ada.one(operation).record).fields
        #expect(fields["when"]?.value == .timestamp(Timestamp(milliseconds: 9)))
        #expect(fields["price"]?.value == .double(3))
        #expect(fields["data"]?.value == .bytes([1, 2, 3]))
        try await world.service.set(#"{"refusesUntypedMismatch": true}"#) {
            $0.refusesUntypedMismatch = true
        }
        #expect(try await world.ada.one(operation).code == .badRequest)
    }

    @Test(arguments: Depth.allCases)
    func `every kind of value comes back as it was sent`(depth: Depth) async throws {
        let world = try await world(depth)
        var place = Location(latitude: 52.5, longitude: 13.4)
        place.altitude = 34
        place.timestamp = Timestamp(milliseconds: 5)
        let scalars: [FieldValue] = [
            .string("naïve 🌿"), .int64(.min), .double(-0.5), .bytes([0, 255]),
            .timestamp(Timestamp(milliseconds: -1)), .location(place),
        ]
        var fields: [String: FieldValue] = [:]
        for (index, value) in scalars.enumerated() {
            fields["scalar\(index)"] = value
            fields["list\(index)"] = .list(value.kind, [value, value])
            fields["empty\(index)"] = .list(value.kind, [])
            // An empty list makes no field.
            try await world.ada.put("teacher", ["empty\(index)": .list(value.kind, [value])])
        }
        let sent = try await world.ada.put("a", fields)
        #expect(sent.fields.mapValues(\.value) == fields)
        #expect(try await world.ada.lookUp("a").first?.record == sent)
    }

    @Test(arguments: Depth.allCases)
    func `a create without a name gets one, and a record's type stays`(depth: Depth) async throws {
        let world = try await world(depth)
        let name = try #require(await world.ada.one(.make(.create, nil)).record?.id.recordName)
        #expect(name.utf8.count == 36 && name == name.uppercased())
        #expect(
            try await world.ada.one(.make(.forceUpdate, name, type: "Other")).code == .badRequest)
    }

    @Test(arguments: Depth.allCases)
    func `C-38 and C-40 an atomic batch with one bad item leaves nothing behind`(depth: Depth)
        async throws
    {
        let world = try await world(depth, isAlone: true)
        try await world.ada.put("a", ["n": .int64(1)])
        try await world.ada.put("child", parent: "a")
        let before = try await world.service.dump(user: "ada")
        let token = try await world.ada.drain().token
        let reply = try await world.ada.modify(
            [
                .make(.forceUpdate, "a", ["n": .int64(2)]), .forceDelete("child"),
                .make(.create, "a"), .make(.create, "new", parent: "a"),
            ].filter { $0.recordName != "a" || $0.kind == .create })
        #expect(reply.records.map(\.code) == [.atomicError, .conflict, .atomicError])
        #expect(try await world.service.dump(user: "ada") == before)
        #expect(try await world.ada.feed(token).records == [])
        #expect(try await world.ada.feed(token).token == token)
    }

    @Test(arguments: Depth.allCases)
    func `C-39 atomicity is for each zone by itself`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("a")
        var elsewhere = RecordOperation.make(.create, "b")
        elsewhere.zoneID = RecordZone.ID("Other")
        let reply = try await world.ada.modify([
            .make(.create, "a"), elsewhere, .make(.create, "c"),
        ])
        #expect(reply.records.map(\.code) == [.conflict, nil, .atomicError])
        #expect(try await world.ada.exists("b", zone: "Other"))
        #expect(try await !world.ada.exists("c"))
    }

    @Test(arguments: Depth.allCases)
    func `C-41 without atomicity the good items are stored`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("a")
        let reply = try await world.ada.modify(
            [.make(.create, "b"), .make(.create, "a"), .make(.create, "c")], atomic: false)
        #expect(reply.records.map(\.code) == [nil, .conflict, nil])
        #expect(!reply.failedAtomically)
        #expect(try await world.ada.exists("b"))
        #expect(try await world.ada.exists("c"))
    }

    @Test(arguments: Depth.allCases)
    func `C-50 two operations for one record refuse the whole request`(depth: Depth) async throws {
        let world = try await world(depth)
        let twice = RecordModifyRequest(
            operations: [.make(.forceUpdate, "a"), .forceDelete("a")],
            zoneID: RecordZone.ID("Notes"), atomic: false)
        #expect(await world.ada.code(.write(.modifyRecords(twice))) == .badRequest)
        #expect(try await !world.ada.exists("a"))
    }

    @Test(arguments: Depth.allCases)
    func `a forced deletion of a missing record succeeds`(depth: Depth) async throws {
        #expect(try await world(depth).ada.one(.forceDelete("never")).isDeleted)
    }

    @Test(arguments: Depth.allCases)
    func `only the wanted fields are answered`(depth: Depth) async throws {
        let world = try await world(depth)
        let operation = RecordOperation.make(.create, "a", ["n": .int64(1), "m": .int64(2)])
        let reply = try await world.ada.modify([operation], desiredKeys: ["m"])
        #expect(reply.records.first?.record?.fields.keys.sorted() == ["m"])
        #expect(try await world.ada.lookUp("a").first?.record?.fields.count == 2)
    }
}
