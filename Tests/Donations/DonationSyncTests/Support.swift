import Basics
import CloudModel
import DonationSync
import Donations
import SyncStorageContract
import Testing

/// A machine and its storage, driven by hand: each call is one transaction.
struct Script {
    static let container = Container.ID("iCloud.com.example.app")!
    var storage = MemoryStorage()
    private(set) var machine: SyncMachine<MemoryStorage>
    var now = Timestamp(milliseconds: 1_000_000)
    let settings: SyncSettings

    init(_ scope: Database.Scope = .private, _ change: (inout SyncSettings) -> Void = { _ in }) {
        var settings = SyncSettings(
            address: Database.Address(
                container: Self.container, environment: .development, scope: scope))
        change(&settings)
        self.settings = settings
        machine = Self.machine(settings)
    }

    private static func machine(_ settings: SyncSettings) -> SyncMachine<MemoryStorage> {
        SyncMachine(
            settings, entropy: SyncEntropy(SeededGenerator(seed: 7)),
            digest: SyncDigest { key, message in Array((key + message + [0]).prefix(32)) })
    }

    var address: Database.Address { settings.address }

    mutating func start() -> SyncAction { machine.start(&storage, now: now) }

    mutating func answer(_ reply: CloudReply) -> SyncAction {
        machine.received(.success(reply), &storage, now: now)
    }

    mutating func fail(_ code: CloudError.Code, after: Duration? = nil) -> SyncAction {
        machine.received(.failure(CloudError(code, retryAfter: after)), &storage, now: now)
    }

    mutating func signOut() { machine.signOut(&storage, now: now) }

    /// The process dies: what the machine remembered is gone.
    mutating func crash() { machine = Self.machine(settings) }

    mutating func pass(_ duration: Duration) { now = now.advanced(by: duration) }

    // MARK: Answers

    mutating func user(_ name: String = "_alice") -> SyncAction {
        answer(.user(UserIdentity(userRecordName: name)))
    }

    mutating func zones(
        _ alive: [String] = [], gone: [(String, RecordZone.DeletionReason)] = [],
        token: String = "d1", more: Bool = false
    ) -> SyncAction {
        let items =
            alive.map { RecordZone.Item.zone(RecordZone(id: id($0), isAtomic: true)) }
            + gone.map { RecordZone.Item.deleted(id($0.0), reason: $0.1) }
        return answer(
            .zonePage(ZonePage(zones: items, token: ChangeToken(token), moreComing: more)))
    }

    mutating func records(
        _ zone: String = "Z", _ items: [Record.Item] = [], token: String = "z1",
        more: Bool = false
    ) -> SyncAction {
        answer(
            .zoneChanges([
                .page(
                    ZoneChangesPage(
                        zoneID: id(zone), records: items, token: ChangeToken(token),
                        moreComing: more))
            ]))
    }

    mutating func noZone(
        _ zone: String = "Z", code: CloudError.Code = .zoneNotFound, reason: String = ""
    ) -> SyncAction {
        answer(.zoneChanges([.failure(id(zone), CloudError(code, reason: reason))]))
    }

    /// The owner in a shared database; the private one's zones have none.
    func id(_ zone: String) -> RecordZone.ID {
        RecordZone.ID(zone, ownerRecordName: settings.address.scope == .shared ? "_bob" : nil)
    }

    static func live(_ name: String, created: Int64 = 10, modified: Int64? = nil) -> Record.Item {
        func stamp(_ at: Int64) -> Record.Stamp {
            Record.Stamp(
                timestamp: Timestamp(milliseconds: at), userRecordName: "_alice",
                deviceID: "phone")
        }
        return .record(
            Record(
                id: Record.ID(name), recordType: "Note", recordChangeTag: "t",
                created: stamp(created), modified: stamp(modified ?? created)))
    }

    static func dead(_ name: String) -> Record.Item {
        .deleted(recordName: name, recordChangeTag: nil)
    }

    /// Reads a zone once, with these records in it, and comes to rest.
    mutating func settle(_ names: [String], zone: String = "Z") {
        #expect(start() == .read(.caller))
        _ = user()
        _ = zones([zone])
        #expect(records(zone, names.map { Self.live($0) }) == .idle)
    }

    /// Starts a round in which the zone is to be read.
    mutating func startReading(_ zone: String = "Z", token: String = "d2") -> SyncAction {
        _ = start()
        return zones([zone], token: token)
    }

    // MARK: Donations

    func link(_ record: String? = nil, zone: String = "Z") -> ContentLink {
        ContentLink(Self.container, settings.address.scope, zone: id(zone), record: record)
    }

    mutating func donate(
        _ kind: DonationKind, _ identifier: String, link: ContentLink?,
        _ change: (inout Donation) -> Void = { _ in }
    ) -> DonationOutcome {
        var donation = Donation(kind, identifier: identifier, type: "T", at: now)
        donation.link = link
        change(&donation)
        return storage.donate(donation, at: now)
    }

    /// Donates an interaction about a record.
    mutating func donate(about record: String?, zone: String = "Z") {
        let name = "\(zone)/\(record ?? "zone")"
        _ = donate(.interaction, name, link: link(record, zone: zone))
    }

    /// What is visible, by name.
    var shown: [String] {
        storage.visibleRows.map {
            $0.identifier.isEmpty ? "\($0.kind.rawValue) \($0.title ?? "")" : $0.identifier
        }.sorted()
    }
}
