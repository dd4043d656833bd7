import CloudModel
import InProcessMock
import MockStore

/// A running service, and what its operator can do to it.
protocol Service: Sendable {
    /// A database as `caller` sees it.
    func database(
        at address: Database.Address, by caller: Caller
    ) async throws -> any CloudDatabase
    /// Sets switches while the service runs; `json` and `change` say the same.
    func set(_ json: String, _ change: (inout MockOptions) -> Void) async throws
    func setSchema(_ text: String, of container: Container.ID) async throws
    func add(_ user: MockUser) async throws
    /// The user erases a zone in the settings of a device.
    func purge(zone: String, of user: String, at address: Database.Address) async throws
    /// Sends the bytes of an asset to an address of `assets/upload`.
    func upload(_ bytes: [UInt8], to url: String) async throws -> Asset
    /// Fetches those that a field's `downloadURL` leads to.
    func download(_ url: String) async throws -> [UInt8]
    /// Something that happens outside of any request.
    @discardableResult
    func simulate(_ event: SimulatedEvent) async throws -> Int
    func compact() async throws
    func reset() async throws
    /// The pushes that a device was sent or is to be sent.
    func pushes(to token: PushToken) async throws -> [PushSeen]
    /// All that a user has, as text that is equal when the data are.
    func dump(user: String) async throws -> String
}

/// What a push says.
struct PushSeen: Hashable {
    var subscription: String
    var zone: String?
    var record: String?
    var event: Subscription.Event?

    init(_ subscription: String, _ record: String? = nil, _ event: Subscription.Event? = nil) {
        self.subscription = subscription
        self.record = record
        self.event = event
    }

    /// Without the zone.
    var bare: PushSeen {
        var bare = self
        bare.zone = nil
        return bare
    }
}

/// The service in process, called directly or through the wire's form.
struct LocalService: Service {
    let cloud: MockCloud
    let speaksWire: Bool

    func database(at address: Database.Address, by caller: Caller) -> any CloudDatabase {
        speaksWire
            ? cloud.wireDatabase(at: address, by: caller) : cloud.database(at: address, by: caller)
    }
    func set(_ json: String, _ change: (inout MockOptions) -> Void) throws {
        try cloud.withStore { change(&$0.options) }
    }
    func setSchema(_ text: String, of container: Container.ID) throws {
        let schema = try Schema(parsing: text)
        try cloud.withStore { try $0.setSchema(schema, of: container) }
    }
    func add(_ user: MockUser) throws { try cloud.withStore { try $0.addUser(user) } }
    func purge(zone: String, of user: String, at address: Database.Address) throws {
        let purged = try cloud.withStore { try $0.purgeZone(zone, at: address, user: user) }
        guard purged else { throw Odd() }
    }
    func upload(_ bytes: [UInt8], to url: String) throws -> Asset {
        try cloud.withStore { try $0.receiveAsset(bytes, at: url) }
    }
    func download(_ url: String) throws -> [UInt8] {
        try cloud.withStore { try $0.assetBytes(at: url) }
    }
    func simulate(_ event: SimulatedEvent) throws -> Int {
        try cloud.simulate(event).changed
    }
    func compact() throws { _ = try cloud.withStore { try $0.compactTombstones() } }
    func reset() throws { try cloud.reset() }
    func pushes(to token: PushToken) throws -> [PushSeen] {
        try cloud.withStore { store in
            store.pushes(for: token.token).map { push in
                var seen = PushSeen(
                    push.note.subscriptionID, push.note.recordName, push.note.event)
                seen.zone = push.note.zoneID?.zoneName
                return seen
            }
        }
    }
    func dump(user: String) throws -> String { try cloud.withStore { try $0.dump(user: user) } }
}
