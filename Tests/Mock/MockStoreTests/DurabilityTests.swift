import Basics
import CloudModel
import Foundation
import MockStore
import SQLite
import Testing

@Suite struct DurabilityTests {
    private static let clock = WallClock.fixed(Timestamp(milliseconds: 1_800_000_000_000))

    private func open(_ path: String, seed: UInt64 = 3) throws -> StoreCommitter {
        let kept = try StoreCommitter(location: .directory(path), clock: Self.clock, seed: seed)
        let store = kept.store
        if store.users.isEmpty {
            try store.addUser(MockUser("ada", givenName: "Ada"))
            try kept.commit()
        }
        return kept
    }

    private func create(_ names: [String], in store: MockStore) throws {
        _ = try store.apply(
            .write(.modifyZones(names.map { .create(RecordZone.ID($0)) })), at: World.address(),
            by: .user("ada"))
    }

    private func write(_ names: [String], in store: MockStore) throws {
        let request = RecordModifyRequest(
            operations: names.map { .make(.forceUpdate, $0, ["n": .int64(1)]) },
            zoneID: RecordZone.ID("Notes"))
        _ = try store.apply(.write(.modifyRecords(request)), at: World.address(), by: .user("ada"))
    }

    /// Copies the files of a store that is open, as a crash would leave them.
    private func crash(_ path: String) throws -> Directory {
        let copy = try Directory()
        for name in try FileManager.default.contentsOfDirectory(atPath: path)
        where name.hasPrefix("store.sqlite") && !name.hasSuffix("-shm") {
            try FileManager.default.copyItem(
                atPath: path + "/" + name, toPath: copy.path + "/" + name)
        }
        return copy
    }

    @Test func `what users did is there when a store is opened again`() throws {
        let directory = try Directory()
        let address = World.address()
        var names: [ChangeToken] = []
        do {
            let kept = try open(directory.path)
            let store = kept.store
            try store.addUser(MockUser("bob"))
            try create(["Notes", "Erased", "Lost"], in: store)
            try write(["a"], in: store)
            names.append(try feedToken(store))
            try kept.commit()
            try store.keepSnapshot("before")
            try write(["b"], in: store)
            names.append(try feedToken(store))
            try kept.commit()
            #expect(try store.restoreSnapshot("before"))
            #expect(try store.eraseZones("Erased", at: address, user: "ada", reason: .purged) != [])
            #expect(
                try store.eraseZones(
                    "Lost", at: address, user: "ada", reason: .encryptedDataReset) == ["Lost"])
            #expect(try store.shareZone("Notes", at: address, owner: "ada", with: "bob"))
            try store.signOut("ada")
            try store.signIn("ada", device: "phone")
            try store.signOut("bob", device: "desk")
            _ = try store.simulate(SimulatedEvent(.fillQuota, user: "ada"))
            try store.addUser(MockUser("eve"))
            _ = try store.simulate(SimulatedEvent(.changeTerms, user: "eve"))
            try store.expireWebTokens(of: "bob", device: "desk", upTo: 7)
            try kept.commit()
        }
        let kept = try open(directory.path)
        let store = kept.store
        for (user, device, isIn) in [
            ("ada", nil, false), ("ada", "desk", false), ("ada", "phone", true),
            ("bob", nil, true), ("bob", "desk", false),
        ] as [(String, String?, Bool)] {
            #expect(store.isSignedIn(user, device: device) == isIn)
        }
        #expect(store.signInProblem(of: "eve", device: nil)?.contains("terms") == true)
        for (number, device) in [(7, "desk"), (8, "desk"), (7, "phone")] as [(Int64, String)] {
            let isOver = store.isExpired(number, of: "bob", device: device)
            #expect(isOver == (number == 7 && device == "desk"))
        }
        let phone = Caller.user("ada", device: "phone")
        let save = RecordModifyRequest(
            operations: [RecordOperation(.create, recordName: "full", recordType: "Note")],
            zoneID: RecordZone.ID("Notes"))
        guard
            case .records(let saved) = try store.apply(
                .write(.modifyRecords(save)), at: address, by: phone),
            case .failure(_, let error)? = saved.records.first
        else { throw Odd() }
        #expect(error.code == .quotaExceeded)
        let reasons = try ["Erased", "Lost"].map { zone in
            let request = ZoneChangesRequest(zoneID: RecordZone.ID(zone))
            guard
                case .zoneChanges(let items) = try store.apply(
                    .read(.zoneChanges([request])), at: address, by: phone),
                case .failure(_, let error)? = items.first
            else { throw Odd() }
            return error.zoneDeletionReason
        }
        #expect(reasons == [.purged, .encryptedDataReset])
        let shared = try store.apply(
            .read(.listZones(token: nil)), at: World.address(.shared), by: .user("bob"))
        guard case .zonePage(let page) = shared else { throw Odd() }
        #expect(page.zones.map(\.id.zoneName) == ["Notes"])
        // The token of the history that was left is still known to be of it.
        for (token, isGood) in zip(names, [true, false]) {
            let request = ZoneChangesRequest(zoneID: RecordZone.ID("Notes"), token: token)
            guard
                case .zoneChanges(let items) = try store.apply(
                    .read(.zoneChanges([request])), at: address, by: phone)
            else { throw Odd() }
            if case .page? = items.first { #expect(isGood) } else { #expect(!isGood) }
        }
    }

    private func feedToken(_ store: MockStore) throws -> ChangeToken {
        let request = ZoneChangesRequest(zoneID: RecordZone.ID("Notes"))
        guard
            case .zoneChanges(let items) = try store.apply(
                .read(.zoneChanges([request])), at: World.address(), by: .user("ada")),
            case .page(let page)? = items.first
        else { throw Odd() }
        return page.token
    }

    @Test func `a store made before there were events for users is opened`() throws {
        let directory = try Directory()
        do {
            let kept = try open(directory.path)
            let store = kept.store
            try create(["Notes"], in: store)
            try kept.commit()
        }
        do {
            let file = try Connection(.file(directory.path + "/store.sqlite"))
            for table in [
                "sign_outs", "shares", "epochs", "branches", "quotas", "pending_terms",
                "expired_web_tokens",
            ] {
                try file.execute("DROP TABLE \(table)")
            }
        }
        let kept = try open(directory.path)
        let store = kept.store
        try store.signOut("ada")
        try kept.commit()
        #expect(!store.isSignedIn("ada"))
    }

    @Test func `a store whose zones were sorted otherwise is opened`() throws {
        let directory = try Directory()
        let delete = CloudCommand.write(.modifyZones([.delete(RecordZone.ID("Gone"))]))
        let feed = CloudCommand.read(.databaseChanges(token: nil, limit: nil))
        let told: CloudReply
        let dump: String
        do {
            let kept = try open(directory.path)
            let store = kept.store
            try create(["Notes", "Gone", "Kept"], in: store)
            try write(["a", "b"], in: store)
            _ = try store.apply(delete, at: World.address(), by: .user("ada"))
            told = try store.apply(feed, at: World.address(), by: .user("ada"))
            try kept.commit()
            dump = try store.dump(user: "ada")
        }
        let file = try makeOlder(directory.path + "/store.sqlite", format: 2)
        for _ in 1...2 {
            let kept = try open(directory.path)
            let store = kept.store
            #expect(try store.apply(feed, at: World.address(), by: .user("ada")) == told)
            #expect(try store.dump(user: "ada") == dump)
        }
        let zones = try file.rows(
            "SELECT name FROM sqlite_master WHERE name LIKE '%zones%' ORDER BY name")
        #expect(zones == [[.text("zones")], [.text("zones_by_place")]])
    }

    @Test func `a zone shared before there were share records is shared as a whole still`() throws {
        let directory = try Directory()
        do {
            let kept = try open(directory.path)
            let store = kept.store
            try store.addUser(MockUser("bob"))
            try create(["Notes"], in: store)
            try write(["a"], in: store)
            #expect(
                try store.shareZone("Notes", at: World.address(), owner: "ada", with: "bob"))
            try kept.commit()
        }
        try makeShareless(directory.path + "/store.sqlite")
        var names = ["a", Share.zoneWideName]
        for more in ["b", "c"] {
            let kept = try open(directory.path)
            let store = kept.store
            let owner = store.userRecordName(of: "ada", in: World.container, .development)
            func told() throws -> [String] {
                let zone = RecordZone.ID("Notes", ownerRecordName: owner)
                guard
                    case .zoneChanges(let items) = try store.apply(
                        .read(.zoneChanges([ZoneChangesRequest(zoneID: zone)])),
                        at: World.address(.shared), by: .user("bob")),
                    case .page(let page)? = items.first
                else { throw Odd() }
                return page.records.map(\.recordName)
            }
            #expect(try told() == names)
            try write([more], in: store)
            names.append(more)
            #expect(try told() == names)
            let lookUp = RecordLookupRequest(
                recordNames: [Share.zoneWideName], zoneID: RecordZone.ID("Notes"))
            guard
                case .records(let reply) = try store.apply(
                    .read(.lookUpRecords(lookUp)), at: World.address(), by: .user("ada"))
            else { throw Odd() }
            let sharing = try #require(reply.records.first?.record?.sharing)
            #expect(sharing.participants.map(\.permission) == [.readWrite, .readOnly])
            #expect(sharing.participants.map(\.acceptance) == [.accepted, .accepted])
            try kept.commit()
        }
    }

    @Test func `what was committed is there after a crash, what was not is not`() throws {
        let directory = try Directory()
        let kept = try open(directory.path)
        let store = kept.store
        try create(["Notes"], in: store)
        try write(["a", "b"], in: store)
        try kept.commit()
        let committed = try store.dump(user: "ada")
        try write(["c"], in: store)
        try create(["Other"], in: store)
        let after = try crash(directory.path)
        let found = try open(after.path).store
        #expect(try found.dump(user: "ada") == committed)
        #expect(found.users == store.users)
        try kept.commit()
        let later = try crash(directory.path)
        #expect(try open(later.path).store.dump(user: "ada") != committed)
    }

    @Test func `tags, incarnations, tokens and names go on after a restart`() throws {
        let directory = try Directory()
        let address = World.address()
        var token: ChangeToken?
        var tags: Set<String> = []
        var made: Set<String> = []
        var names: Set<String> = []
        for _ in 0..<3 {
            let kept = try open(directory.path, seed: UInt64(made.count + 100))
            let store = kept.store
            names.insert(store.userRecordName(of: "ada", in: World.container, .development))
            try create(["Notes"], in: store)
            if let token {
                let request = ZoneChangesRequest(zoneID: RecordZone.ID("Notes"), token: token)
                guard
                    case .zoneChanges(let items) = try store.apply(
                        .read(.zoneChanges([request])), at: address, by: .user("ada")),
                    case .page(let page) = items.first
                else { throw Odd() }
                #expect(page.records == [])
            }
            let request = RecordModifyRequest(
                operations: [.make(.create, nil), .make(.forceUpdate, "same")],
                zoneID: RecordZone.ID("Notes"))
            guard
                case .records(let reply) = try store.apply(
                    .write(.modifyRecords(request)), at: address, by: .user("ada"))
            else { throw Odd() }
            for record in reply.records.compactMap(\.record) {
                #expect(tags.insert(record.recordChangeTag).inserted)
                made.insert(record.id.recordName)
            }
            token = reply.token
            try kept.commit()
        }
        #expect(made.count == 4 && names.count == 1)
    }

    @Test func `a crash in the middle of many commits loses none of them`() throws {
        let directory = try Directory()
        let kept = try open(directory.path)
        let store = kept.store
        for round in 0..<40 {
            try create(["z\(round)"], in: store)
            try kept.commit()
            guard round % 8 == 0 else { continue }
            let after = try crash(directory.path)
            #expect(try open(after.path).store.summary().first?.zones == round + 1)
        }
    }

    @Test(arguments: [true, false])
    func `a turn that does not fit on the disk is undone whole, and the store goes on`(
        inMemory: Bool
    ) throws {
        let directory = try Directory()
        let kept = try StoreCommitter(
            location: inMemory ? .memory : .directory(directory.path), clock: Self.clock, seed: 3)
        let store = kept.store
        try store.addUser(MockUser("ada"))
        try create(["Notes"], in: store)
        try write(["a"], in: store)
        try kept.commit()
        let before = try store.dump(user: "ada")
        try store.limitSize(pages: 1)
        try create(["Doomed"], in: store)
        // A database that is new in this turn, and a restriction, are undone with it.
        let production = World.address(.private, .production)
        let create = CloudCommand.write(.modifyZones([.create(RecordZone.ID("New"))]))
        _ = try store.apply(create, at: production, by: .user("ada"))
        _ = try store.apply(.write(.restrict), at: production, by: .user("ada"))
        let large = RecordModifyRequest(
            operations: [
                .make(.create, "b", ["data": .bytes([UInt8](repeating: 7, count: 900_000))])
            ],
            zoneID: RecordZone.ID("Notes"))
        let refused = #expect(throws: CloudError.self) {
            try store.apply(.write(.modifyRecords(large)), at: World.address(), by: .user("ada"))
        }
        #expect(refused?.code == .internalError)
        // Until the turn is over, nothing more is accepted: it could not be kept.
        #expect(throws: CloudError.self) { try self.create(["Late"], in: store) }
        let error = #expect(throws: MockStoreError.self) { try kept.commit() }
        #expect(error?.code == .diskFull)
        #expect(try store.dump(user: "ada") == before)
        try store.limitSize(pages: 100_000)
        try self.create(["Notes", "Next"], in: store)
        try write(["a", "b"], in: store)
        _ = try store.apply(create, at: production, by: .user("ada"))
        try kept.commit()
        #expect(try store.summary().map(\.zones) == [2, 1])
        #expect(try store.summary().map(\.records) == [2, 0])
    }

    @Test func `a page of large records ends early and says there is more`() throws {
        let world = try World()
        try world.ada.create("Notes")
        let data = FieldValue.bytes([UInt8](repeating: 7, count: 900_000))
        for index in 0..<12 { try world.ada.put("r\(index)", ["data": data]) }
        let page = try world.ada.feed(nil)
        #expect((1..<12).contains(page.records.count) && page.moreComing)
        #expect(try world.ada.drain().items.count == 12)
        #expect(try world.ada.names(Query(recordType: "Note")).count == 12)
        let sorted = Query(recordType: "Note", sorts: [.init(.system(.recordName))])
        #expect(try world.ada.names(sorted).count == 12)
    }

    @Test func `a second process is kept out, and let in afterwards`() throws {
        let directory = try Directory()
        var store: StoreCommitter? = try open(directory.path)
        let error = #expect(throws: MockStoreError.self) { try open(directory.path) }
        #expect(error?.code == .inUse)
        _ = store?.store.users
        store = nil
        #expect(try open(directory.path).store.users.count == 1)
    }

    @Test func `a damaged file, a newer one and a missing folder are told apart`() throws {
        let directory = try Directory()
        let path = directory.path + "/store.sqlite"
        try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: path))
        let damaged = #expect(throws: MockStoreError.self) { try open(directory.path) }
        #expect(damaged?.code == .corrupt)
        try FileManager.default.removeItem(atPath: path)
        try Connection(.file(path)).execute("PRAGMA user_version = 99")
        let newer = #expect(throws: MockStoreError.self) { try open(directory.path) }
        #expect(newer?.code == .newerFormat)
        let missing = #expect(throws: MockStoreError.self) { try open(directory.path + "/no") }
        #expect(missing?.code == .cannotOpen)
    }

    @Test func `a deleted zone's records are removed in the background, and only those`() throws {
        let directory = try Directory()
        let kept = try open(directory.path)
        let store = kept.store
        try store.seed(zones: ["Notes", "Kept"], at: World.address(), user: "ada") { _ in
            (0..<1200).map { SeedRecord("r\($0)", type: "Note", fields: ["n": .int64(1)]) }
        }
        try kept.commit()
        _ = try store.apply(
            .write(.modifyZones([.delete(RecordZone.ID("Notes"))])), at: World.address(),
            by: .user("ada"))
        try kept.commit()
        try create(["Notes"], in: store)
        try write(["new"], in: store)
        try kept.commit()
        var turns = 0
        while try store.purgeSome() {
            try kept.commit()
            turns += 1
        }
        #expect((10...20).contains(turns))
        let reader = try Connection(.file(directory.path + "/store.sqlite"), readOnly: true)
        #expect(try reader.rows("SELECT count(*) FROM records") == [[1201]])
        #expect(try reader.rows("SELECT count(*) FROM names") == [[1201]])
        #expect(try store.summary().first?.records == 1201)
        #expect(try !store.purgeSome())
    }

    @Test func `schemas, restrictions and learned fields survive a restart`() throws {
        let directory = try Directory()
        let schema = try Schema(
            parsing: "DEFINE SCHEMA RECORD TYPE T (\"___recordID\" REFERENCE QUERYABLE, n INT64);")
        do {
            let kept = try open(directory.path)
            let store = kept.store
            try store.setSchema(schema, of: World.container)
            try create(["Notes"], in: store)
            try write(["a"], in: store)
            _ = try store.apply(.write(.restrict), at: World.address(), by: .user("ada"))
            try kept.commit()
        }
        let kept = try open(directory.path)
        let store = kept.store
        #expect(store.schema(of: World.container) == schema)
        #expect(throws: CloudError.self) { try create(["Other"], in: store) }
        _ = try store.apply(.write(.unrestrict), at: World.address(), by: .user("ada"))
        let wrong = RecordModifyRequest(
            operations: [.make(.forceUpdate, "a", ["n": .string("x")])],
            zoneID: RecordZone.ID("Notes"))
        guard
            case .records(let reply) = try store.apply(
                .write(.modifyRecords(wrong)), at: World.address(), by: .user("ada"))
        else { throw Odd() }
        #expect(reply.records.first?.code == .badRequest)
    }
}
