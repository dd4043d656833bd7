import CloudModel
import MockServer
import Testing

@Suite struct RecordTests {
    private func world() throws -> World {
        let world = try World()
        try world.ada.create("Notes", "Other")
        return world
    }

    @Test func `A-21 and A-22 a record gets a tag, and another with each write`() throws {
        let world = try world()
        let first = try world.ada.put("a", ["n": .int64(1)])
        let item = try world.ada.one(
            .make(.update, "a", ["n": .int64(2)], tag: first.recordChangeTag))
        let second = try #require(item.record)
        #expect(!first.recordChangeTag.isEmpty)
        #expect(second.recordChangeTag != first.recordChangeTag)
        #expect(second.fields["n"]?.value == .int64(2))
        #expect(second.created == first.created)
    }

    @Test(arguments: [RecordOperation.Kind.update, .replace, .delete])
    func `A-23 a stale tag conflicts`(kind: RecordOperation.Kind) throws {
        let world = try world()
        let old = try world.ada.put("a", ["n": .int64(1)])
        try world.ada.put("a", ["n": .int64(2)])
        let item = try world.ada.one(.make(kind, "a", tag: old.recordChangeTag))
        #expect(item.code == .conflict)
        #expect(item.error?.reason == "client oplock error updating record")
        #expect(
            try world.ada.lookUp("a").first?.record?.fields["n"]?.value == .int64(2))
    }

    @Test func `A-24 creating a record that exists fails with EXISTS`() throws {
        let world = try world()
        try world.ada.put("a", ["n": .int64(1)])
        let item = try world.ada.one(.make(.create, "a", ["n": .int64(2)]))
        #expect(item.code == .exists)
        #expect(item.error?.reason == "record to insert already exists")
    }

    @Test(arguments: [RecordOperation.Kind.update, .replace, .delete])
    func `A-25 and A-30 a tagged write to a record that is gone is not found`(
        kind: RecordOperation.Kind
    ) throws {
        let world = try world()
        let tag = try world.ada.put("a").recordChangeTag
        try world.ada.one(.forceDelete("a"))
        #expect(try world.ada.one(.make(kind, "a", tag: tag)).code == .notFound)
        #expect(try world.ada.one(.make(kind, "never", tag: tag)).code == .notFound)
    }

    @Test(arguments: [RecordOperation.Kind.update, .replace, .delete], [nil, ""])
    func `a missing tag is a bad request`(kind: RecordOperation.Kind, tag: String?) throws {
        let world = try world()
        try world.ada.put("a")
        #expect(try world.ada.one(.make(kind, "a", tag: tag)).code == .badRequest)
        #expect(try world.ada.exists("a"))
    }

    @Test(arguments: [
        (RecordOperation.Kind.forceUpdate, ["kept": FieldValue.int64(1), "n": .int64(2)]),
        (.update, ["kept": .int64(1), "n": .int64(2)]),
        (.forceReplace, ["n": .int64(2)]), (.replace, ["n": .int64(2)]),
    ])
    func `A-26, A-27 and A-37 updates merge, replacements drop what is not sent`(
        kind: RecordOperation.Kind, expected: [String: FieldValue]
    ) throws {
        let world = try world()
        let tag = try world.ada.put("a", ["kept": .int64(1), "n": .int64(1)]).recordChangeTag
        let item = try world.ada.one(.make(kind, "a", ["n": .int64(2)], tag: tag))
        #expect(item.record?.fields.mapValues(\.value) == expected)
        #expect(try world.ada.lookUp("a").first?.record == item.record)
    }

    @Test(arguments: [RecordOperation.Kind.forceUpdate, .forceReplace, .create])
    func `A-37 forced writes and creations make a missing record`(
        kind: RecordOperation.Kind
    ) throws {
        let world = try world()
        #expect(try world.ada.one(.make(kind, "new", ["n": .int64(1)])).record != nil)
        #expect(try world.ada.one(.make(kind, "b", type: nil)).code == .badRequest)
    }

    @Test func `a null clears a field`() throws {
        let world = try world()
        try world.ada.put("a", ["n": .int64(1), "m": .int64(2)])
        var operation = RecordOperation.make(.forceUpdate, "a")
        operation.fields = ["n": nil]
        #expect(try world.ada.one(operation).record?.fields.keys.sorted() == ["m"])
    }

    @Test func `A-29 an answer carries the server's time, user and device`() throws {
        let world = try world()
        let first = try world.ada.put("a")
        let name = try world.name("ada")
        #expect(
            first.created
                == Record.Stamp(
                    timestamp: Timestamp(milliseconds: 1_800_000_000_000), userRecordName: name,
                    deviceID: "2"))
        world.advance(5000)
        let second = try world.ada.put("a")
        #expect(second.modified.timestamp.milliseconds == 1_800_000_005_000)
        #expect(second.created == first.created)
        #expect(name.hasPrefix("_") && name.utf8.count == 33)
    }

    @Test func `A-31 a missing record of a lookup fails alone, in the order asked`() throws {
        let world = try world()
        try world.ada.put("a")
        try world.ada.put("b")
        let items = try world.ada.lookUp("b", "gone", "a")
        #expect(items.map(\.recordName) == ["b", "gone", "a"])
        #expect(items.map(\.code) == [nil, .notFound, nil])
    }

    @Test func `A-32 tags are never used twice, not even after a batch was undone`() throws {
        let world = try world()
        var seen: Set<String> = []
        for round in 0..<20 {
            let record = try world.ada.put("a", ["n": .int64(Int64(round))])
            #expect(seen.insert(record.recordChangeTag).inserted)
            _ = try world.ada.modify([.make(.forceUpdate, "b"), .make(.create, "a")])
            try world.ada.one(.forceDelete("a"))
            let other = try world.ada.put("c", zone: "Other")
            #expect(seen.insert(other.recordChangeTag).inserted)
        }
        let feed = try world.ada.drain()
        for case .deleted(_, let tag?) in feed.items { #expect(seen.insert(tag).inserted) }
    }

    @Test func `A-33 a record created again is new, and its tombstone leaves the feed`() throws {
        let world = try world()
        let first = try world.ada.put("a")
        try world.ada.one(.forceDelete("a"))
        world.advance(1000)
        let second = try #require(try world.ada.one(.make(.create, "a")).record)
        #expect(second.created != first.created)
        #expect(second.recordChangeTag != first.recordChangeTag)
        #expect(try world.ada.drain().items == [.record(second)])
    }

    @Test(arguments: [
        ("a", true), (String(repeating: "n", count: 255), true), ("with space", true),
        (String(repeating: "n", count: 256), false), ("_system", false), ("naïve", false),
    ])
    func `A-34 record names are ASCII, at most 255, without a leading underscore`(
        name: String, isValid: Bool
    ) throws {
        let item = try world().ada.one(.make(.create, name))
        #expect(item.code == (isValid ? nil : .badRequest))
    }

    @Test(arguments: ["1st", "with space", "_x", "naïve", "a.b", ""])
    func `types and fields begin with a letter and go on with letters, digits and _`(
        name: String
    ) throws {
        let world = try world()
        #expect(try world.ada.one(.make(.create, "a", type: name)).code == .badRequest)
        #expect(
            try world.ada.one(.make(.create, "a", [name: .int64(1)])).code == .badRequest)
    }

    @Test func `A-34 and A-49 a record over 1 MB fails alone`() throws {
        let world = try world()
        let large = FieldValue.bytes([UInt8](repeating: 7, count: 1 << 20))
        let reply = try world.ada.modify(
            [.make(.create, "large", ["data": large]), .make(.create, "small")], atomic: false)
        #expect(reply.records.map(\.code) == [.badRequest, nil])
    }

    @Test func `A-35 a value of another type than the field's names the expected one`() throws {
        let world = try world()
        try world.ada.put("a", ["when": .timestamp(Timestamp(milliseconds: 1))])
        let item = try world.ada.one(.make(.forceUpdate, "a", ["when": .string("soon")]))
        #expect(item.code == .badRequest)
        #expect(item.error?.reason == "Invalid value, expected type TIMESTAMP.")
        // The other environment has a schema of its own.
        let production = world.database(.private, .user("ada"), .production)
        try production.create("Notes")
        #expect(
            try production.one(.make(.create, "a", ["when": .string("soon")])).record != nil)
    }

    @Test func `a field learned in a batch that was undone is not known`() throws {
        let world = try world()
        try world.ada.put("a")
        _ = try world.ada.modify([.make(.create, "b", ["f": .int64(1)]), .make(.create, "a")])
        #expect(try world.ada.one(.make(.create, "c", ["f": .string("x")])).record != nil)
    }

    @Test func `an untyped value takes the field's type where nothing is lost`() throws {
        let world = try world()
        try world.ada.put(
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
        let fields = try #require(try world.ada.one(operation).record).fields
        #expect(fields["when"]?.value == .timestamp(Timestamp(milliseconds: 9)))
        #expect(fields["price"]?.value == .double(3))
        #expect(fields["data"]?.value == .bytes([1, 2, 3]))
        try world.set { $0.refusesUntypedMismatch = true }
        #expect(try world.ada.one(operation).code == .badRequest)
    }

    @Test func `every kind of value comes back as it was sent`() throws {
        let world = try world()
        var place = Location(latitude: 52.5, longitude: 13.4)
        place.altitude = 34
        place.timestamp = Timestamp(milliseconds: 5)
        var asset = Asset(fileChecksum: "abc", size: 17)
        asset.downloadURL = "https://example.org/a"
        let scalars: [FieldValue] = [
            .string("naïve 🌿"), .int64(.min), .double(-0.5), .bytes([0, 255]),
            .timestamp(Timestamp(milliseconds: -1)), .location(place), .asset(asset),
        ]
        var fields: [String: FieldValue] = [:]
        for (index, value) in scalars.enumerated() {
            fields["scalar\(index)"] = value
            fields["list\(index)"] = .list(value.kind, [value, value])
            fields["empty\(index)"] = .list(value.kind, [])
        }
        let sent = try world.ada.put("a", fields)
        #expect(sent.fields.mapValues(\.value) == fields)
        #expect(try world.ada.lookUp("a").first?.record == sent)
    }

    @Test func `a create without a name gets one, and a record's type stays`() throws {
        let world = try world()
        let name = try #require(world.ada.one(.make(.create, nil)).record?.id.recordName)
        #expect(name.utf8.count == 36 && name == name.uppercased())
        #expect(
            try world.ada.one(.make(.forceUpdate, name, type: "Other")).code == .badRequest)
    }

    @Test func `A-38 and A-40 an atomic batch with one bad item leaves nothing behind`() throws {
        let world = try world()
        try world.ada.put("a", ["n": .int64(1)])
        try world.ada.put("child", parent: "a")
        let before = try world.cloud.withStore { try $0.dump(user: "ada") }
        let token = try world.ada.drain().token
        let reply = try world.ada.modify(
            [
                .make(.forceUpdate, "a", ["n": .int64(2)]), .forceDelete("child"),
                .make(.create, "a"), .make(.create, "new", parent: "a"),
            ].filter { $0.recordName != "a" || $0.kind == .create })
        #expect(reply.failedAtomically)
        #expect(reply.records.map(\.code) == [.atomicError, .exists, .atomicError])
        #expect(try world.cloud.withStore { try $0.dump(user: "ada") } == before)
        #expect(try world.ada.feed(token).records == [])
        #expect(try world.ada.feed(token).token == token)
    }

    @Test func `A-39 atomicity is for each zone by itself`() throws {
        let world = try world()
        try world.ada.put("a")
        var elsewhere = RecordOperation.make(.create, "b")
        elsewhere.zoneID = RecordZone.ID("Other")
        let reply = try world.ada.modify([.make(.create, "a"), elsewhere, .make(.create, "c")])
        #expect(reply.records.map(\.code) == [.exists, nil, .atomicError])
        #expect(try world.ada.exists("b", zone: "Other"))
        #expect(try !world.ada.exists("c"))
    }

    @Test func `A-41 without atomicity the good items are stored`() throws {
        let world = try world()
        try world.ada.put("a")
        let reply = try world.ada.modify(
            [.make(.create, "b"), .make(.create, "a"), .make(.create, "c")], atomic: false)
        #expect(reply.records.map(\.code) == [nil, .exists, nil])
        #expect(!reply.failedAtomically)
        #expect(try world.ada.exists("b") && world.ada.exists("c"))
    }

    @Test func `A-50 two operations for one record refuse the whole request`() throws {
        let world = try world()
        let twice = RecordModifyRequest(
            operations: [.make(.forceUpdate, "a"), .forceDelete("a")],
            zoneID: RecordZone.ID("Notes"), atomic: false)
        #expect(world.ada.code(.modifyRecords(twice)) == .badRequest)
        #expect(try !world.ada.exists("a"))
    }

    @Test func `a forced deletion of a missing record succeeds`() throws {
        #expect(try world().ada.one(.forceDelete("never")).isDeleted)
    }

    @Test func `only the wanted fields are answered`() throws {
        let world = try world()
        let operation = RecordOperation.make(.create, "a", ["n": .int64(1), "m": .int64(2)])
        let reply = try world.ada.modify([operation], desiredKeys: ["m"])
        #expect(reply.records.first?.record?.fields.keys.sorted() == ["m"])
        #expect(try world.ada.lookUp("a").first?.record?.fields.count == 2)
    }
}
