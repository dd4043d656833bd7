import AsyncOperations
import Basics
import CloudModel
import Foundation
import InProcessMock
import MockStore
import Testing

/// A mock service in memory with a clock that stands until it is moved.
struct World {
    static let container = Container.ID("iCloud.com.example.journal")!

    let cloud: MockCloud
    let time: Locked<Int64>

    init(options: MockOptions = MockOptions(), seed: UInt64 = 7) throws {
        let time = Locked<Int64>(1_800_000_000_000)
        self.time = time
        let clock = WallClock { Timestamp(milliseconds: time.withLock { $0 }) }
        cloud = try MockCloud(options: options, clock: clock, seed: seed, users: ["ada", "bob"])
    }

    static func address(
        _ scope: Database.Scope = .private, _ environment: Container.Environment = .development,
        container: Container.ID = container
    ) -> Database.Address {
        Database.Address(container: container, environment: environment, scope: scope)
    }

    func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }

    func database(
        _ scope: Database.Scope = .private, _ caller: Caller = .user("ada"),
        _ environment: Container.Environment = .development
    ) -> Asker {
        Asker(cloud: cloud, address: Self.address(scope, environment), caller: caller)
    }

    var ada: Asker { database() }
    var everybody: Asker { database(.public) }

    func set(_ change: (inout MockOptions) -> Void) throws {
        try cloud.withStore { change(&$0.options) }
    }

    func schema(_ text: String) throws {
        let schema = try Schema(parsing: text)
        try cloud.withStore { try $0.setSchema(schema, of: Self.container) }
    }

    /// The user record name of an account in the test container.
    func name(_ user: String) throws -> String {
        try cloud.withStore { $0.userRecordName(of: user, in: Self.container, .development) }
    }
}

/// One database, asked in the words of the tests.
struct Asker {
    let cloud: MockCloud
    let address: Database.Address
    let caller: Caller

    func ask(_ command: CloudCommand) throws(CloudError) -> CloudReply {
        try cloud.perform(command, at: address, by: caller)
    }

    /// The code a whole request fails with.
    func code(_ command: CloudCommand) -> CloudError.Code? {
        do throws(CloudError) {
            _ = try ask(command)
            return nil
        } catch { return error.code }
    }

    func reason(_ command: CloudCommand) -> String? {
        do throws(CloudError) {
            _ = try ask(command)
            return nil
        } catch { return error.reason }
    }

    // MARK: - Zones

    @discardableResult
    func zones(_ operations: RecordZone.Operation...) throws -> [RecordZone.Item] {
        guard case .zones(let items) = try ask(.write(.modifyZones(operations))) else {
            throw Odd()
        }
        return items
    }

    @discardableResult
    func create(_ names: String...) throws -> [RecordZone.Item] {
        let operations = names.map { RecordZone.Operation.create(RecordZone.ID($0)) }
        guard case .zones(let items) = try ask(.write(.modifyZones(operations))) else {
            throw Odd()
        }
        return items
    }

    @discardableResult
    func delete(zone name: String) throws -> RecordZone.Item {
        try #require(zones(.delete(RecordZone.ID(name))).first)
    }

    func list(_ token: ChangeToken? = nil) throws -> ZonePage {
        guard case .zonePage(let page) = try ask(.read(.listZones(token: token))) else {
            throw Odd()
        }
        return page
    }

    func listedNames() throws -> [String] {
        var names: [String] = []
        var token: ChangeToken?
        while true {
            let page = try list(token)
            names += page.zones.map(\.id.zoneName)
            guard page.moreComing else { return names }
            token = page.token
        }
    }

    func databaseChanges(_ token: ChangeToken?, limit: Int? = nil) throws -> ZonePage {
        let reply = try ask(.read(.databaseChanges(token: token, limit: limit)))
        guard case .zonePage(let page) = reply else { throw Odd() }
        return page
    }

    // MARK: - Records

    func modify(
        _ operations: [RecordOperation], zone: String = "Notes", atomic: Bool? = nil,
        desiredKeys: [String]? = nil
    ) throws -> RecordsReply {
        let request = RecordModifyRequest(
            operations: operations, zoneID: RecordZone.ID(zone), atomic: atomic,
            desiredKeys: desiredKeys)
        guard case .records(let reply) = try ask(.write(.modifyRecords(request))) else {
            throw Odd()
        }
        return reply
    }

    /// Carries out one operation, on its own.
    @discardableResult
    func one(_ operation: RecordOperation, zone: String = "Notes") throws -> Record.Item {
        try #require(modify([operation], zone: zone, atomic: false).records.first)
    }

    /// Writes a record whatever was there.
    @discardableResult
    func put(
        _ name: String, _ fields: [String: FieldValue] = [:], zone: String = "Notes",
        type: String = "Note", parent: String? = nil
    ) throws -> Record {
        let operation = RecordOperation(
            .forceUpdate, recordName: name, recordType: type,
            fields: fields.mapValues { Field($0) },
            parent: parent.map { Record.Reference($0) })
        return try #require(one(operation, zone: zone).record)
    }

    func lookUp(_ names: String..., zone: String = "Notes") throws -> [Record.Item] {
        let request = RecordLookupRequest(recordNames: names, zoneID: RecordZone.ID(zone))
        guard case .records(let reply) = try ask(.read(.lookUpRecords(request))) else {
            throw Odd()
        }
        return reply.records
    }

    func exists(_ name: String, zone: String = "Notes") throws -> Bool {
        try lookUp(name, zone: zone).first?.record != nil
    }

    func query(
        _ query: Query, zone: String? = "Notes", zoneWide: Bool = false, limit: Int? = nil,
        marker: String? = nil, desiredKeys: [String]? = nil
    ) throws(CloudError) -> RecordPage {
        let request = RecordQueryRequest(
            query: query, zoneID: zone.map { RecordZone.ID($0) }, zoneWide: zoneWide, limit: limit,
            continuationMarker: marker, desiredKeys: desiredKeys)
        guard case .recordPage(let page) = try ask(.read(.queryRecords(request))) else {
            throw CloudError(.unknown)
        }
        return page
    }

    /// The names a query finds, over all its pages.
    func names(
        _ query: Query, zone: String? = "Notes", zoneWide: Bool = false, limit: Int? = nil
    ) throws -> [String] {
        var names: [String] = []
        var marker: String?
        var pages = 0
        repeat {
            let page = try self.query(
                query, zone: zone, zoneWide: zoneWide, limit: limit, marker: marker)
            names += page.records.map(\.recordName)
            marker = page.continuationMarker
            pages += 1
            try #require(pages < 10_000)
        } while marker != nil
        return names
    }

    // MARK: - Feeds

    func feed(
        _ token: ChangeToken?, zone: String = "Notes", limit: Int? = nil,
        desiredKeys: [String]? = nil
    ) throws -> ZoneChangesPage {
        let request = ZoneChangesRequest(
            zoneID: RecordZone.ID(zone), token: token, limit: limit, desiredKeys: desiredKeys)
        guard case .zoneChanges(let items) = try ask(.read(.zoneChanges([request]))) else {
            throw Odd()
        }
        switch try #require(items.first) {
        case .page(let page): return page
        case .failure(_, let error): throw error
        }
    }

    /// Everything since a token, page by page.
    func drain(
        _ token: ChangeToken? = nil, zone: String = "Notes", limit: Int? = nil
    ) throws -> (items: [Record.Item], token: ChangeToken) {
        var items: [Record.Item] = []
        var token = token
        var pages = 0
        while true {
            let page = try feed(token, zone: zone, limit: limit)
            items += page.records
            token = page.token
            pages += 1
            try #require(pages < 100_000)
            if !page.moreComing { return (items, page.token) }
        }
    }

    // MARK: - Subscriptions

    @discardableResult
    func subscribe(_ operations: Subscription.Operation...) throws -> [Subscription.Item] {
        let reply = try ask(.write(.modifySubscriptions(operations)))
        guard case .subscriptions(let items) = reply else { throw Odd() }
        return items
    }

    func subscriptions() throws -> [Subscription.Item] {
        guard case .subscriptions(let items) = try ask(.read(.listSubscriptions)) else {
            throw Odd()
        }
        return items
    }
}

/// An answer of another shape than the question.
struct Odd: Error {}

extension Record.Item {
    var record: Record? { if case .record(let record) = self { record } else { nil } }
    var isDeleted: Bool { if case .deleted = self { true } else { false } }
    var code: CloudError.Code? { error?.code }
    var error: CloudError? { if case .failure(_, let error) = self { error } else { nil } }
}

extension RecordZone.Item {
    var zone: RecordZone? { if case .zone(let zone) = self { zone } else { nil } }
    var isDeleted: Bool { if case .deleted = self { true } else { false } }
    var code: CloudError.Code? { error?.code }
    var error: CloudError? { if case .failure(_, let error) = self { error } else { nil } }
}

extension Subscription.Item {
    var subscription: Subscription? {
        if case .subscription(let found) = self { found } else { nil }
    }
    var error: CloudError? { if case .failure(_, let error) = self { error } else { nil } }
}

extension RecordOperation {
    static func make(
        _ kind: Kind, _ name: String?, _ fields: [String: FieldValue] = [:], tag: String? = nil,
        type: String? = "Note", parent: String? = nil
    ) -> RecordOperation {
        RecordOperation(
            kind, recordName: name, recordType: type, recordChangeTag: tag,
            fields: fields.mapValues { Field($0) }, parent: parent.map { Record.Reference($0) })
    }

    static func delete(_ name: String, tag: String?) -> RecordOperation {
        RecordOperation(.delete, recordName: name, recordChangeTag: tag)
    }
}

extension FieldValue {
    static func link(_ name: String, _ action: Record.Reference.Action = .none) -> FieldValue {
        .reference(Record.Reference(name, action: action))
    }
}

/// A directory that goes away with the test that made it.
final class Directory: Sendable {
    let path: String
    init() throws {
        path = NSTemporaryDirectory() + "cksweep-store-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
}
