import Basics
import CloudModel
import DonationSync
import Donations
import MockStore

// What users and apps do.
extension Simulation {
    enum Act: Int, CaseIterable {
        case donate, erase, evict, expire, contentSave, contentDelete, userDeletes, zoneDelete
        case backUp, rollBack, purge, reset, enable, signOut, fence, liftFence, absence
        case snapshot, switchUser
    }

    /// Does one random thing, as likely as the run's theme says.
    func act() throws {
        let weights = Act.allCases.map { plan.weight(of: $0) }
        var left = acts.below(weights.reduce(0, +))
        let chosen = Act.allCases.first { act in
            left -= weights[act.rawValue]
            return left < 0
        }
        let device = acts.pick(devices)
        journal.note(20, UInt64(chosen?.rawValue ?? 0), words: "act \(chosen ?? .donate)")
        try perform(chosen ?? .donate, on: device)
        try check(device)
    }

    private func perform(_ act: Act, on device: SimDevice) throws {
        switch act {
        case .donate: try donate(on: device)
        case .erase: try erase(selector(for: device), .everywhere, on: device)
        case .evict: try evict(on: device)
        case .expire: try device.expire(now: device.now(clock))
        case .contentSave: try appSaves(acts.pick(SimWorld.contentZones))
        case .contentDelete: try appDeletes(acts.pick(SimWorld.contentZones), on: nil)
        case .userDeletes: try appDeletes(acts.pick(SimWorld.contentZones), on: device)
        case .zoneDelete: try appDeletesZone(acts.pick(SimWorld.contentZones))
        case .backUp: backUp(device)
        case .rollBack: try rollBack(device)
        case .purge: try purge(acts.pick(plan.zonesAtRisk))
        case .reset: try resetKeys()
        case .enable: try enable(device)
        case .signOut: try signOut(device)
        case .fence: try fence(acts.pick(plan.zonesAtRisk), on: device)
        case .liftFence: try liftFences(on: device)
        case .absence:
            device.isAway.toggle()
            members = [:]
            clock.advance(Int64(acts.pick([1, 1, 40, 200])) * 86_400_000)
            journal.note(21, words: "device \(device.index) away: \(device.isAway)")
        case .snapshot: try snapshotOrRestore()
        case .switchUser: try switchUser(device)
        }
    }

    // MARK: Donations

    func donate(on device: SimDevice) throws {
        let now = device.now(clock)
        let row = donation(at: now)
        // It would take the place of an item of the second user's own device.
        if row.kind == .searchableItem, device.user != "ada" { return }
        let nonce = device.nonce
        let before = try device.rows()
        guard try device.donate(row, now: now) else {
            journal.note(22, words: "  refused on device \(device.index): \(row.kind)")
            return
        }
        if let zone = row.link?.zone, device.purged.contains(zone) {
            throw Breach("5.1", device: device.index, "takes a link into the purged zone \(zone)")
        }
        let tag = truth.nextTag
        let owner = owner(of: device)
        truth.donate(
            row, by: device.index, of: device.takesPart ? owner : nil, nonce: nonce,
            step: journal.steps, over: before)
        if owner != device.user || owner != "ada" { truth.doubt { $0.row.title == row.title } }
        journal.note(
            23, UInt64(device.index),
            words: "  device \(device.index) donates \(tag): \(row.kind) "
                + [
                    row.identifier, row.group, row.persistentIdentifier, row.relatedIdentifier,
                    row.domain, row.link?.zone, row.link?.record,
                ].compactMap { $0 }.joined(separator: " "))
    }

    /// A donation from few words, so that deletions and other donations meet it.
    private func donation(at now: Timestamp) -> Donation {
        let kind: DonationKind = acts.pick([
            .interaction, .interaction, .activity, .searchableItem, .appIntent,
        ])
        var row = Donation(kind, type: acts.pick(SimWorld.types), at: now)
        row.title = truth.nextTag
        switch kind {
        case .interaction:
            // Its own name mostly: an app's identifier is new with every event.
            row.identifier =
                acts.chance(plan.sameNames) ? acts.pick(SimWorld.identifiers) : uniqueName()
            row.group = acts.pick([nil, nil] + SimWorld.groups)
            row.isFromSiri = false
        case .activity:
            row.persistentIdentifier = acts.pick([nil] + SimWorld.persistent)
            row.relatedIdentifier = acts.pick([nil, nil] + SimWorld.items)
            row.domain = acts.pick([nil, nil] + SimWorld.domains)
            row.eligibility = [.search]
        case .searchableItem:
            row.identifier = acts.pick(SimWorld.items)
            row.domain = acts.pick([nil] + SimWorld.domains)
            row.entityType = acts.pick([nil, "Book"])
            row.entityIdentifier = row.entityType.map { _ in acts.pick(SimWorld.entities) }
        default:
            row.identifier = uniqueName()
            row.entityType = "Book"
            row.entityIdentifier = acts.pick(SimWorld.entities)
        }
        if acts.chance(plan.linked) {
            row.link = ContentLink(
                SimWorld.container, .private, zone: RecordZone.ID(acts.pick(SimWorld.contentZones)),
                record: acts.pick([nil] + SimWorld.records))
        }
        if acts.chance(plan.expiring) {
            row.expiration = now.advanced(by: .seconds(acts.pick([1, 20, 600, 100_000])))
        }
        return row
    }

    private func uniqueName() -> String { "identifier-\(truth.made.count)-\(acts.below(1000))" }

    /// A selector of any kind that can travel.
    private func selector(for device: SimDevice) -> DonationSelector {
        let now = device.now(clock).milliseconds
        let names = acts.pick([SimWorld.identifiers, [acts.pick(SimWorld.identifiers)]])
        switch acts.below(18) {
        case 0, 1: return .interactions(identifiers: names)
        case 2: return .interactionGroup(acts.pick(SimWorld.groups))
        case 3: return .allInteractions
        case 4, 5: return .activities(persistentIdentifiers: [acts.pick(SimWorld.persistent)])
        case 6: return .allActivities
        case 7, 8: return .searchableItems(identifiers: [acts.pick(SimWorld.items)], indexName: nil)
        case 9: return .searchableDomains([acts.pick(SimWorld.domains)], indexName: nil)
        case 10: return .allSearchableItems(indexName: nil)
        case 11:
            return .appIntentsAbout(
                entityType: "Book", entityIdentifier: acts.pick(SimWorld.entities))
        case 12: return .appIntentType(acts.pick(SimWorld.types), entityIdentifier: nil)
        case 13: return .appEntities(type: "Book", identifiers: [acts.pick(SimWorld.entities)])
        case 14: return .activityType(acts.pick(SimWorld.types))
        case 15: return .intentClass(acts.pick(SimWorld.types))
        case 16:
            return .donated(
                fromMilliseconds: now - Int64(acts.pick([1000, 20_000, 100_000_000])),
                untilMilliseconds: now + 1, includingItems: acts.chance(0.5))
        default: return acts.chance(0.5) ? .everything : .linked(link())
        }
    }

    private func link() -> ContentLink {
        ContentLink(
            SimWorld.container, .private, zone: RecordZone.ID(acts.pick(SimWorld.contentZones)),
            record: acts.pick([nil] + SimWorld.records))
    }

    func erase(
        _ selector: DonationSelector, _ scope: DeletionScope, on device: SimDevice
    ) throws {
        // The second user deletes nothing: what he deletes would not be looked for.
        guard truth.hasRoomForErasure, device.user == "ada", owner(of: device) == "ada" else {
            return
        }
        var now = device.now(clock)
        // Two deletions of one run never are at one moment, so that their records tell them apart.
        if now.milliseconds <= latestErasure, now.milliseconds > latestErasure - 1000 {
            clock.advance(latestErasure + 1 - now.milliseconds)
            now = device.now(clock)
        }
        while truth.hasErasure(at: now.milliseconds) {
            clock.advance(1)
            now = device.now(clock)
        }
        latestErasure = now.milliseconds
        journal.note(24, words: "  device \(device.index) erases \(selector)")
        try device.erase(selector, scope, now: now)
        // Who takes no part has nobody to tell.
        guard device.takesPart || device.nonce != nil else {
            return truth.doubt { $0.device == device.index }
        }
        truth.erase(
            selector, by: device.index, nonce: device.nonce, at: now.milliseconds,
            step: journal.steps)
    }

    /// Deletes here only, to make room; others keep theirs.
    private func evict(on device: SimDevice) throws {
        let selector = selector(for: device)
        let now = device.now(clock)
        let before = Set(try device.rows().map(\.tag))
        try device.erase(selector, .thisDevice, now: now)
        let gone = before.subtracting(try device.rows().map(\.tag))
        device.evicted.formUnion(gone)
        truth.doubt { gone.contains(Truth.tag(of: $0.row) ?? -1) }
        journal.note(25, words: "  device \(device.index) makes room: \(gone.sorted())")
    }

    // MARK: Content

    func appCreatesZone(_ zone: String) throws {
        commit(
            .write(.modifyZones([.create(RecordZone.ID(zone))])), at: SimWorld.private, by: "ada",
            device: nil)
        if content[zone] == nil { content[zone] = [] }
    }

    func appSaves(_ zone: String) throws {
        try appCreatesZone(zone)
        let name = acts.pick(SimWorld.records)
        commit(
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: [
                            RecordOperation(
                                .forceUpdate, recordName: name, recordType: "Entry",
                                fields: ["text": Field(.int64(Int64(acts.below(100))))])
                        ], zoneID: RecordZone.ID(zone), atomic: false))),
            at: SimWorld.private, by: "ada", device: nil)
        journal.note(26, words: "  the app saves \(name) in \(zone)")
    }

    /// The app deletes a record; on a device: donations first, then the content (5.1).
    func appDeletes(_ zone: String, on device: SimDevice?) throws {
        let live = (content[zone] ?? []).sorted()
        let name = live.isEmpty ? acts.pick(SimWorld.records) : acts.pick(live)
        if let device {
            let link = ContentLink(
                SimWorld.container, .private, zone: RecordZone.ID(zone), record: name)
            try erase(.linked(link), .everywhere, on: device)
        }
        commit(
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: [.forceDelete(name)], zoneID: RecordZone.ID(zone), atomic: false
                    ))),
            at: SimWorld.private, by: "ada", device: nil)
        journal.note(27, words: "  the app deletes \(name) in \(zone)")
    }

    func appDeletesZone(_ zone: String) throws {
        commit(
            .write(.modifyZones([.delete(RecordZone.ID(zone))])), at: SimWorld.private, by: "ada",
            device: nil)
        journal.note(28, words: "  the app deletes the zone \(zone)")
        if acts.chance(0.4) { try appSaves(zone) }
    }

    // MARK: Zones, accounts, fences

    /// The user erases a zone in the settings.
    private func purge(_ zone: String) throws {
        let done = try cloud.withStore {
            try $0.purgeZone(zone, at: SimWorld.private, user: "ada")
        }
        journal.note(29, words: "  the zone \(zone) is purged: \(done)")
        if done { zoneIsGone(zone) }
    }

    /// The user wants his donations on all devices again.
    private func enable(_ device: SimDevice) throws {
        try device.enable(now: device.now(clock))
        device.mayCreateZone = true
        journal.note(30, words: "  device \(device.index): on again")
    }

    private func signOut(_ device: SimDevice) throws {
        let index = device.index
        try device.signOut(now: device.now(clock))
        device.lanes = device.addresses.map { _ in .rest }
        device.told = ContentTold()
        device.purged = []
        members[index] = nil
        device.knownNonce = device.nonce
        device.mayCreateZone = true
        // What was deleted here before was forgotten with the account.
        truth.knowledge[index] = Truth.Knowledge()
        truth.doubt { _ in true }
        journal.note(31, words: "  device \(index): signed out")
    }

    /// Another user signs in on the device, or the first one again: a new program with other
    /// credentials, and nobody tells it that it is not of the same user (I10).
    private func switchUser(_ device: SimDevice) throws {
        guard device.identity != nil else { return }
        device.user = device.user == "ada" ? "bob" : "ada"
        try device.restart()
        // Nothing of what is not sent is owed to anybody.
        truth.doubt { $0.device == device.index }
        journal.note(36, words: "  device \(device.index): \(device.user) is signed in")
    }

    /// A device found out that it is another user's.
    func forgetAccount(_ device: SimDevice) {
        let index = device.index
        device.told = ContentTold()
        device.purged = []
        device.mayCreateZone = true
        members[index] = nil
        truth.knowledge[index] = Truth.Knowledge()
        truth.doubt { $0.device == index }
        journal.note(37, words: "  device \(index) is \(owner(of: device))'s now")
    }

    /// A sweep erases a zone: the fence first, then the zone.
    private func fence(_ zone: String, on device: SimDevice) throws {
        try device.fence(zone, now: device.now(clock))
        device.fenced.insert(zone)
        closedZones.insert(zone)
        device.told.forget(zone)
        journal.note(32, words: "  device \(device.index): fence around \(zone)")
        commit(
            .write(.modifyZones([.delete(RecordZone.ID(zone))])), at: SimWorld.private, by: "ada",
            device: nil)
    }

    private func liftFences(on device: SimDevice) throws {
        for zone in device.fenced.sorted() {
            try device.liftFence(zone, now: device.now(clock))
            if zone == SimWorld.zone.zoneID.zoneName { device.mayCreateZone = true }
        }
        journal.note(33, words: "  device \(device.index): no fences")
        device.fenced = []
        device.fencesHeard = []
    }

    /// The keys of what was encrypted are lost, and all zones with them.
    private func resetKeys() throws {
        let zones = try cloud.withStore {
            try $0.eraseZones(
                at: SimWorld.private, user: "ada", reason: .encryptedDataReset)
        }
        journal.note(34, words: "  keys are lost: \(zones)")
        for zone in zones { zoneIsGone(zone) }
        for zone in SimWorld.contentZones where acts.chance(0.5) { try appCreatesZone(zone) }
    }

    /// The service is copied, or goes back to its copy.
    private func snapshotOrRestore() throws {
        guard let copy = snapshot else {
            snapshot = ServiceCopy(
                snapshot: try cloud.snapshot(), truth: truth, nonce: serverNonce,
                lost: lostNonces, content: content)
            return
        }
        try cloud.restore(copy.snapshot)
        truth.forgetReached(but: copy.truth)
        serverNonce = copy.nonce
        lostNonces = copy.lost
        content = copy.content
        lostHistory = true
        for (tag, made) in truth.made.enumerated() where made.stored != nil {
            let isInCopy = tag < copy.truth.made.count && copy.truth.made[tag].stored != nil
            if !isInCopy { lostByService.insert(tag) }
        }
        members = [:]
        heardOf = [:]
        truth.doubt { _ in true }
        journal.note(35, words: "  the service goes back in time")
    }
}

/// The service, and what was true of it, at one moment.
struct ServiceCopy {
    let snapshot: String
    let truth: Truth
    let nonce: String?
    let lost: Set<String>
    let content: [String: Set<String>]
}
