import Basics
import CloudModel
import Foundation
import InProcessMock
import MockStore
import RandomSeeds
import Testing

/// Two people with five devices each at one shared zone, under random operations: each device sees what
/// the permission allows and nothing more, whenever it looks.
@Suite(.timeLimit(.minutes(30))) struct SharingModelTests {
    private static let seeds = Seeds.range("sharing model", 30, long: 2_000)

    @Test func `ten devices see what they may and nothing more`() throws {
        for seed in Self.seeds {
            var run = try SharingRun(seed: seed)
            do {
                for _ in 0..<120 { try run.step() }
                try run.finish()
            } catch {
                Issue.record("CKSWEEP_SEED=\(seed): \(error)")
            }
            guard run.problems.list.isEmpty else {
                Issue.record("CKSWEEP_SEED=\(seed): \(run.problems.list.prefix(3))")
                return
            }
        }
    }
}

/// One history.
struct SharingRun {
    /// What one device has been told.
    struct Device {
        var zoneToken: ChangeToken?
        var databaseToken: ChangeToken?
        var hasZone = false
        var copy: [String: NaiveSharing.Entry] = [:]
    }

    /// What was not as the model says.
    final class Problems {
        var list: [String] = []
    }

    private static let zone = "Trip"
    let world: World
    let bobName: String
    let shared: RecordZone.ID
    var model = NaiveSharing()
    var owners = Array(repeating: Device(), count: 5)
    var guests = Array(repeating: Device(), count: 5)
    var everShown: Set<String> = []
    var guids: [String: String] = [:]
    var generator: SeededGenerator
    var count: Int64 = 0
    let problems = Problems()

    init(seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        world = try World(seed: seed)
        bobName = try world.name("bob")
        shared = RecordZone.ID(Self.zone, ownerRecordName: try world.name("ada"))
        try world.ada.create(Self.zone)
    }

    private mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
    private mutating func name() -> String { "r\(below(12))" }

    private func check(_ holds: Bool, _ what: @autoclosure () -> String) {
        if !holds { problems.list.append("step \(count): \(what())") }
    }

    private func asker(_ isGuest: Bool) -> Asker {
        isGuest ? world.database(.shared, .user("bob")) : world.ada
    }
    private func zoneID(_ isGuest: Bool) -> RecordZone.ID {
        isGuest ? shared : RecordZone.ID(Self.zone)
    }

    mutating func step() throws {
        count += 1
        world.advance(1)
        switch below(20) {
        case 0...6: try save(byGuest: below(3) == 0)
        case 7, 8: try delete(byGuest: below(3) == 0)
        case 9, 10: try share()
        case 11: try changePermission()
        case 12: try stop()
        case 13: try accept()
        case 14: try leave()
        case 15: try query()
        default:
            if below(3) == 0 {
                try followOwner(below(5))
            } else {
                try followGuest(below(5), mayStop: true)
            }
        }
        everShown.formUnion(model.shown.keys)
    }

    mutating func finish() throws {
        for device in 0..<5 {
            try followOwner(device)
            try followGuest(device, mayStop: false)
        }
    }

    // MARK: - Records

    private mutating func modify(
        _ operation: RecordOperation, byGuest: Bool
    ) throws -> Record.Item? {
        let request = RecordModifyRequest(
            operations: [operation], zoneID: zoneID(byGuest), atomic: below(2) == 0)
        guard
            case .records(let reply) = try asker(byGuest).ask(.write(.modifyRecords(request)))
        else { throw Odd() }
        return reply.records.first
    }

    private mutating func save(byGuest: Bool) throws {
        let name = name()
        var parent = below(4) == 0 ? nil : self.name()
        // What is not sent stays: only a replacement takes a parent away.
        let kind: RecordOperation.Kind = below(3) == 0 ? .forceReplace : .forceUpdate
        if kind == .forceUpdate { parent = parent ?? model.records[name]?.parent }
        let operation = RecordOperation(
            kind, recordName: name, recordType: "Note", fields: ["n": Field(.int64(count))],
            parent: parent.map { Record.Reference($0) })
        let item = try modify(operation, byGuest: byGuest)
        let may = model.maySave(name, parent: parent, byGuest: byGuest)
        var isSaved = false
        if case .record? = item { isSaved = true }
        check(
            isSaved == may,
            "\(byGuest ? "guest" : "owner") saves \(name) below \(parent ?? "-"): \(String(describing: item)), \(model)"
        )
        if isSaved { model.records[name] = .init(parent: parent, value: count) }
    }

    private mutating func delete(byGuest: Bool) throws {
        let name = name()
        let isThere = byGuest ? model.shown[name] != nil : model.records[name] != nil
        let item = try modify(.forceDelete(name), byGuest: byGuest)
        var isDeleted = false
        if case .deleted? = item { isDeleted = true }
        guard isThere else {
            return check(
                isDeleted || byGuest && !model.hasAccepted, "deletes what is not there")
        }
        check(
            isDeleted == model.mayDelete(name, byGuest: byGuest),
            "\(byGuest ? "guest" : "owner") deletes \(name): \(String(describing: item)), \(model)")
        if isDeleted { model.delete(name) }
    }

    // MARK: - Shares

    private mutating func share() throws {
        let root = below(5) == 0 ? nil : name()
        let share = root.map { "s-" + $0 } ?? Share.zoneWideName
        let mayWrite = below(2) == 0
        var operation = RecordOperation(.create, recordName: share, recordType: Share.recordType)
        operation.share = Share.Change(participants: [guest(mayWrite)])
        if let root {
            let tag = try world.ada.lookUp(root, zone: Self.zone).first?.record?.recordChangeTag
            operation.share?.root = .init(root, recordChangeTag: tag ?? "none")
        }
        let isKnown = model.shares[share] != nil
        let item = try modify(operation, byGuest: false)
        guard case .record(let record)? = item else {
            return check(
                isKnown || !model.mayShare(root),
                "cannot share \(share): \(String(describing: item)), \(model)")
        }
        check(!isKnown && model.mayShare(root), "shares \(share), \(model)")
        model.shares[share] = .init(root: root, mayWrite: mayWrite)
        guids[share] = record.shortGUID
    }

    private func guest(_ mayWrite: Bool) -> ShareParticipant {
        ShareParticipant(
            identity: UserIdentity(userRecordName: bobName),
            permission: mayWrite ? .readWrite : .readOnly)
    }

    private mutating func some() -> String? {
        let names = model.shares.keys.sorted()
        return names.isEmpty ? nil : names[below(names.count)]
    }

    private mutating func changePermission() throws {
        guard let share = some(),
            let record = try world.ada.lookUp(share, zone: Self.zone).first?.record
        else { return }
        var operation = RecordOperation(
            .update, recordName: share, recordType: Share.recordType,
            recordChangeTag: record.recordChangeTag)
        let choice = below(3)
        operation.share = Share.Change(participants: choice == 0 ? [] : [guest(choice == 1)])
        guard case .record? = try modify(operation, byGuest: false) else {
            return check(false, "cannot change \(share)")
        }
        let isOn = model.shares[share]?.isInvited == true
        model.shares[share]?.mayWrite = choice == 1
        model.shares[share]?.isInvited = choice > 0
        if choice == 0 || !isOn { model.shares[share]?.isAccepted = false }
    }

    private mutating func stop() throws {
        guard let share = some() else { return }
        guard case .deleted? = try modify(.forceDelete(share), byGuest: false) else {
            return check(false, "cannot stop \(share)")
        }
        model.shares[share] = nil
    }

    private mutating func accept() throws {
        guard let share = some(), let guid = guids[share] else { return }
        let lobby = world.database(.public, .user("bob"))
        guard
            case .shares(let items) = try lobby.ask(.write(.acceptShares([ShareLookup(guid)])))
        else { throw Odd() }
        var isAccepted = false
        if case .metadata? = items.first { isAccepted = true }
        check(isAccepted == (model.shares[share]?.isInvited == true), "accepts \(share)")
        if isAccepted { model.shares[share]?.isAccepted = true }
    }

    private mutating func leave() throws {
        guard let share = some(), model.shares[share]?.isAccepted == true, below(2) == 0 else {
            return
        }
        guard case .deleted? = try modify(.forceDelete(share), byGuest: true) else {
            return check(false, "cannot leave \(share)")
        }
        model.shares[share]?.isAccepted = false
        model.shares[share]?.isInvited = false
    }

    // MARK: - Looking

    private mutating func query() throws {
        let guest = asker(true)
        let request = RecordQueryRequest(
            query: Query(
                recordType: "Note",
                sorts: below(2) == 0 ? [] : [.init(.field("n"), ascending: false)]),
            zoneID: shared)
        guard model.hasAccepted else {
            return check(
                guest.code(.read(.queryRecords(request))) == .zoneNotFound, "a query without zone")
        }
        guard !model.records.isEmpty else { return }
        var (names, page) = (Set<String>(), request)
        repeat {
            guard case .recordPage(let found) = try guest.ask(.read(.queryRecords(page))) else {
                throw Odd()
            }
            names.formUnion(found.records.map(\.recordName))
            page.continuationMarker = found.continuationMarker
        } while page.continuationMarker != nil
        check(names == Set(model.shown.keys), "a query finds \(names.sorted()), \(model)")
        let name = name()
        let lookUp = RecordLookupRequest(recordNames: [name], zoneID: shared)
        guard case .records(let reply) = try guest.ask(.read(.lookUpRecords(lookUp))) else {
            throw Odd()
        }
        check(
            (reply.records.first?.record != nil) == (model.shown[name] != nil), "a look at \(name)")
    }

    private mutating func followOwner(_ index: Int) throws {
        let drained = try world.ada.drain(
            owners[index].zoneToken, zone: Self.zone, limit: 1 + below(7))
        Self.take(drained.items, &owners[index])
        owners[index].zoneToken = drained.token
        check(owners[index].copy == model.records, "the owner's device has \(owners[index].copy)")
    }

    private static func take(_ items: [Record.Item], _ device: inout Device) {
        for item in items {
            switch item {
            case .record(let record) where record.recordType == Share.recordType: continue
            case .record(let record):
                guard case .int64(let value)? = record.fields["n"]?.value else { continue }
                device.copy[record.id.recordName] = .init(
                    parent: record.parent?.recordName, value: value)
            case .deleted(let name, _): device.copy[name] = nil
            case .failure: continue
            }
        }
    }

    private mutating func followGuest(_ index: Int, mayStop: Bool) throws {
        var device = guests[index]
        defer { guests[index] = device }
        let changes = try asker(true).databaseChanges(device.databaseToken)
        device.databaseToken = changes.token
        for zone in changes.zones {
            device.hasZone = !zone.isDeleted
            if zone.isDeleted { (device.zoneToken, device.copy) = (nil, [:]) }
        }
        check(
            device.hasZone == model.hasAccepted, "device \(index) has the zone: \(device.hasZone)")
        for _ in 0..<1_000 {
            let request = ZoneChangesRequest(
                zoneID: shared, token: device.zoneToken, limit: 1 + below(5))
            guard
                case .zoneChanges(let items) = try asker(true).ask(.read(.zoneChanges([request]))),
                let item = items.first
            else { throw Odd() }
            switch item {
            case .failure(_, let error):
                guard model.hasAccepted else {
                    return check(error.code == .zoneNotFound, "no zone: \(error)")
                }
                check(error.code == .badRequest && device.zoneToken != nil, "the feed: \(error)")
                (device.zoneToken, device.copy) = (nil, [:])
            case .page(let page):
                look(page)
                Self.take(page.records, &device)
                device.zoneToken = page.token
                guard page.moreComing else {
                    return check(
                        device.copy == model.shown,
                        "guest's device \(index) has \(device.copy), not \(model.shown)")
                }
                if mayStop, below(4) == 0 { return }
            }
        }
        check(false, "the feed does not end")
    }

    /// Nothing on a page is more than the guest may see now, or has seen.
    private func look(_ page: ZoneChangesPage) {
        let isWhole = model.shares.values.contains { $0.root == nil }
        let names = page.records.map(\.recordName)
        check(Set(names).count == names.count, "a page has a record twice: \(names)")
        for item in page.records {
            switch item {
            case .record(let record) where record.recordType == Share.recordType:
                check(
                    model.shares[record.id.recordName]?.isAccepted == true,
                    "told of a share: \(record.id.recordName)")
            case .record(let record):
                check(model.shown[record.id.recordName] != nil, "told of \(record.id.recordName)")
            case .deleted(let name, _):
                let isShare = name.hasPrefix("s-") || name == Share.zoneWideName
                check(isWhole || isShare || everShown.contains(name), "told of the end of \(name)")
            case .failure(let name, let error): check(false, "\(name) fails: \(error)")
            }
        }
    }
}
