import Basics
import CloudModel
import DonationSync
import Donations

// The end of a run: nothing goes wrong any more, and the world comes to rest.
extension Simulation {
    private static let roundsMax = 24
    private static let movesMax = 4000

    /// Lets every device sync until nobody has anything left to say.
    func settle() throws {
        isSettling = true
        mix = .none
        journal.note(40, words: "nothing goes wrong any more")
        while !late.isEmpty { sendLate() }
        if let breach { throw breach }
        // Whatever was to end by itself has ended when the clocks are right again.
        clock.advance(3 * 86_400_000)
        let wantsZone = acts.chance(0.7) || plan.alwaysEnables
        for device in devices {
            device.isAway = false
            device.offset = 0
            device.notBefore = device.notBefore.map { _ in SimWaiting() }
            try device.expire(now: device.now(clock))
            if wantsZone, !device.fenced.contains(SimWorld.zone.zoneID.zoneName) {
                try runToRest(device)
                try device.enable(now: device.now(clock))
                device.mayCreateZone = true
            }
        }
        var quietRounds = 0
        for _ in 0..<Self.roundsMax {
            let before = writes
            for device in devices + bystanders.map(\.device) {
                try device.expire(now: device.now(clock))
                try runToRest(device)
            }
            clock.advance(1000)
            quietRounds = writes == before ? quietRounds + 1 : 0
            // Twice: what one device read last, another may have written last.
            if quietRounds == 2 { return try checkSteadyState() }
        }
        throw Breach("5.8-9", "still writing after \(Self.roundsMax) rounds")
    }

    /// One round of a device in each of its databases, waits included.
    func runToRest(_ device: SimDevice) throws {
        for lane in device.lanes.indices {
            var moves = 0
            repeat {
                journal.nextStep()
                if case .waiting(let until) = device.lanes[lane] {
                    clock.advance(max(0, until.milliseconds - device.now(clock).milliseconds))
                }
                try move(device, lane)
                moves += 1
                guard moves < Self.movesMax else {
                    throw Breach("5.8-9", device: device.index, "a round does not end")
                }
            } while !device.lanes[lane].isAtRest
        }
        for bystander in bystanders where bystander.device === device {
            try bystander.check(besides: isBobs, mayLose: lostHistory)
        }
    }

    /// A round of somebody for whom nothing is new costs one request per database.
    private func checkSteadyState() throws {
        guard plan.serviceCrash == nil else { return }
        for device in devices {
            let before = requests
            try runToRest(device)
            guard requests - before <= device.lanes.count else {
                throw Breach(
                    "steady", device: device.index,
                    "\(requests - before) requests with nothing new")
            }
        }
    }

    /// D26: no name of a donation that is gone is in a device's files.
    private func checkFiles(_ device: SimDevice) throws {
        guard plan.stores == .all else { return }
        let here = try device.donations().map(\.identifier)
        let gone = truth.made.map(\.row.identifier).filter { name in
            name.hasPrefix("identifier-") && !here.contains { $0.hasPrefix(name) }
        }
        if let name = try device.remains(of: gone).first {
            throw Breach("D26", device: device.index, "\(name) is gone, and still in its file")
        }
    }

    // MARK: What must hold at rest

    func checkAtRest() throws {
        for device in devices {
            try check(device)
            try checkLasting(device)
            if let text = try device.unfinished() {
                throw Breach("5.8-12", device: device.index, text)
            }
            try checkFiles(device)
        }
        for bystander in bystanders { try bystander.check(besides: isBobs, mayLose: lostHistory) }
        guard let serverNonce else { return }
        let members = devices.filter {
            $0.nonce == serverNonce && !$0.fenced.contains(SimWorld.zone.zoneID.zoneName)
        }
        for device in devices where device.nonce != serverNonce && lostNonces.isEmpty {
            guard device.fenced.isEmpty, device.takesPart, device.user == "ada" else { continue }
            throw Breach("I2", device: device.index, "is not in the zone")
        }
        try checkConverged(members)
        try checkNothingBack(members)
        try checkNotTooMuch(members)
    }

    /// What must not be on any device, whether it takes part or not.
    private func checkLasting(_ device: SimDevice) throws {
        let now = clock.now
        for donation in try device.donations() {
            guard let tag = Truth.tag(of: donation) else { continue }
            let made = truth.made[tag]
            // A fenced device does not look at the zone: what it has goes when the fence is lifted.
            // What is not exchanged was never in the zone (see `checkUpload`), and stays.
            let isExchanged = isExchanged(donation.kind)
            let isFenced = device.fenced.contains(SimWorld.zone.zoneID.zoneName)
            if isOfLostZone(tag), isExchanged, !isFenced {
                throw Breach("R8", device: device.index, "#\(tag) of a lost zone is there")
            }
            // An event's time is that of its saved activity, which a later event may have set (D14).
            let isEvent = donation.kind == .activity && donation.persistentIdentifier != nil
            if let end = made.expiration, end <= now, !isEvent {
                throw Breach("5.5", device: device.index, "#\(tag) is past its time")
            }
            guard made.row.hasSameFacts(as: donation) else {
                throw Breach("I5", device: device.index, "#\(tag) is not as it was made")
            }
            if let link = donation.link, let zone = link.zone, let record = link.record,
                made.device == device.index, let end = device.told.missed[zone]?[record],
                made.step < end
            {
                throw Breach(
                    "5.1", device: device.index,
                    "#\(tag) is linked to \(record), which a scan did not find")
            }
        }
    }

    /// Whether a row was in a zone that is lost, or made for one (R8). What its maker had before
    /// he ever took part in a zone was lost with none.
    func isOfLostZone(_ tag: Int) -> Bool {
        let made = truth.made[tag]
        return made.nonce.map(lostNonces.contains) ?? false
            || made.stored.map { $0 < latestLoss } ?? false
    }

    /// I2: all who take part hold the same, and the zone holds it too.
    private func checkConverged(_ members: [SimDevice]) throws {
        let stored = try storedTags()
        // What the service took and lost again before anybody read it, no feed tells of.
        let evicted = truth.sameThings(
            as: members.reduce(into: lostByService) { $0.formUnion($1.evicted) })
        var first: (device: Int, rows: Set<SimRow>)?
        for device in members {
            let rows = Set(
                try device.rows().filter { isShared($0) && !evicted.contains($0.tag) }
                    .map { SimRow(kind: $0.kind, tag: $0.tag, isParked: false) })
            if let first, first.rows != rows {
                let differ = first.rows.symmetricDifference(rows).map(\.tag).sorted()
                throw Breach(
                    "I2", device: device.index,
                    "differs from device \(first.device) in \(differ.map { "#\($0)" })")
            }
            if first == nil { first = (device.index, rows) }
        }
        guard let first else { return }
        let differ = Set(first.rows.map(\.tag)).symmetricDifference(stored.subtracting(evicted))
        if !differ.isEmpty {
            throw Breach(
                "I2", "the zone differs from its devices in \(differ.sorted().map { "#\($0)" })")
        }
    }

    private func isClosed(_ link: ContentLink?) -> Bool {
        link?.zone.map(closedZones.contains) ?? false
    }

    /// Whether a row is one of those that travel.
    private func isShared(_ row: SimRow) -> Bool { isExchanged(row.kind) }

    /// The tags of the donations in the zone.
    private func storedTags() throws -> Set<Int> {
        var tags: Set<Int> = []
        var token: ChangeToken?
        while true {
            let request = ZoneChangesRequest(zoneID: SimWorld.zone.zoneID, token: token)
            let reply = try cloud.perform(
                .read(.zoneChanges([request])), at: SimWorld.private, by: .user("ada"))
            guard case .zoneChanges(let items) = reply, case .page(let page)? = items.first else {
                return tags
            }
            for case .record(let record) in page.records {
                if let tag = tag(of: record) { tags.insert(tag) }
            }
            guard page.moreComing else { return tags }
            token = page.token
        }
    }

    /// I1: no row is anywhere that any deletion covers which ever came to the zone.
    private func checkNothingBack(_ members: [SimDevice]) throws {
        let reached = truth.reached(serverNonce)
        for device in members {
            for row in try device.rows() {
                // Of an item that is not exchanged, a deletion that was collected before it came
                // here says nothing any more: the app is asked for the item again.
                let unheard = serverBase & ~truth.knowledge[device.index].told
                let known = isExchanged(row.kind) ? reached : reached & ~unheard
                let covering = truth.made[row.tag].covering & known
                guard covering != 0 else { continue }
                throw Breach(
                    "I1", device: device.index,
                    "#\(row.tag) is back; \(truth.describe(covering))")
            }
        }
    }

    /// I3: of what nobody's deletion means, or whose maker had seen all that do, something is there;
    /// and nothing that it was made in place of.
    private func checkNotTooMuch(_ members: [SimDevice]) throws {
        var groups: [SimThing: [Int]] = [:]
        for (tag, made) in truth.made.enumerated() {
            for thing in SimThing.all(of: made.row, tag) { groups[thing, default: []].append(tag) }
        }
        let makers = Set(members.map(\.index))
        let ends = truth.endsByItself
        groups = groups.filter { _, tags in
            let all = tags.map { truth.made[$0] }
            return all.allSatisfy { made in
                !made.isUnsure && !ends(made.row) && !isClosed(made.row.link)
                    && hasSafeItem(made.row)
                    && (makers.contains(made.device) || made.stored != nil)
                    && truth.meansAll(made.perhaps, all.map(\.row))
            } && all.contains { $0.perhaps == 0 }
        }
        func hasSafeItem(_ row: Donation) -> Bool {
            guard let item = row.relatedIdentifier else { return true }
            return truth.made.allSatisfy {
                $0.row.kind != .searchableItem || $0.row.identifier != item
                    || $0.perhaps == 0 && !$0.isUnsure
            }
        }
        for device in members {
            let present = Set(
                try device.rows().map { SimRow(kind: $0.kind, tag: $0.tag, isParked: false) })
            for (thing, tags) in groups {
                let isHere = thing.kind != .searchableItem || plan.syncsItems
                guard isHere || tags.allSatisfy({ truth.made[$0].device == device.index })
                else { continue }
                let safe = tags.filter { truth.made[$0].perhaps == 0 }
                let found = tags.first {
                    present.contains(SimRow(kind: thing.kind, tag: $0, isParked: false))
                }
                guard let found else {
                    throw Breach("I3", device: device.index, "#\(safe[0]) is lost: \(thing.kind)")
                }
                if let newer = safe.first(where: { truth.isPlainlyLater($0, than: found) }) {
                    throw Breach(
                        "I3", device: device.index, "#\(newer) is lost to #\(found), an older one")
                }
            }
        }
    }
}

/// What is one thing for the app: donations of it replace one another.
struct SimThing: Hashable {
    let kind: DonationKind
    let name: String

    init(_ row: Donation, _ tag: Int) {
        kind = row.kind
        name = row.kind == .activity ? "\(tag)" : row.identifier
    }

    private init(_ kind: DonationKind, _ name: String) {
        self.kind = kind
        self.name = name
    }

    /// What a donation makes: an activity its event, and the saved form that later ones renew.
    static func all(of row: Donation, _ tag: Int) -> [SimThing] {
        let thing = SimThing(row, tag)
        guard row.kind == .activity else { return [thing] }
        return [thing, SimThing(.savedActivity, row.persistentIdentifier ?? "\(tag)")]
    }
}

extension Donation {
    /// Whether all that an app said is the same; the store's own numbers are not looked at.
    func hasSameFacts(as other: Donation) -> Bool {
        identifier == other.identifier && group == other.group
            && persistentIdentifier == other.persistentIdentifier
            && relatedIdentifier == other.relatedIdentifier && domain == other.domain
            && entityType == other.entityType && entityIdentifier == other.entityIdentifier
            && type == other.type && link == other.link && namedEnd == other.namedEnd
            && begin == other.begin
    }

    private var namedEnd: Timestamp? { expiration.flatMap { $0 > SimWorld.farAway ? nil : $0 } }
}

extension SimLane {
    var isAtRest: Bool { if case .rest = self { true } else { false } }
}

extension Truth {
    /// Whether each of these deletions means each of these rows.
    func meansAll(_ set: ErasureSet, _ rows: [Donation]) -> Bool {
        for (index, erasure) in erasures.enumerated() where set & (1 << ErasureSet(index)) != 0 {
            for row in rows where PlainModel.match(erasure.selector, row) != .yes { return false }
        }
        return true
    }

    /// All that is one thing with one of these, or belongs to one saved activity with it.
    func sameThings(as tags: Set<Int>) -> Set<Int> {
        let things = Set(tags.map { SimThing(made[$0].row, $0) })
        let persistent = Set(tags.compactMap { made[$0].row.persistentIdentifier })
        return Set(
            made.indices.filter { tag in
                things.contains(SimThing(made[tag].row, tag))
                    || made[tag].row.persistentIdentifier.map(persistent.contains) ?? false
            })
    }

    /// Whether a row may go because its time is over, or that of its saved activity or item (D13,
    /// D14).
    var endsByItself: (Donation) -> Bool {
        let rows = made.map(\.row).filter { $0.expiration != nil }
        let persistent = Set(rows.compactMap(\.persistentIdentifier))
        let items = Set(rows.filter { $0.kind == .searchableItem }.map(\.identifier))
        return { row in
            row.expiration != nil || row.persistentIdentifier.map(persistent.contains) ?? false
                || row.relatedIdentifier.map(items.contains) ?? false
        }
    }

    /// Whether a donation was made in place of another one that was at hand, and by a later clock:
    /// the other one must not take its place again.
    func isPlainlyLater(_ tag: Int, than other: Int) -> Bool {
        made[tag].replaced.contains(other)
            && made[tag].row.begin.milliseconds > made[other].row.begin.milliseconds
    }

    func hasErasure(at moment: Int64) -> Bool { erasures.contains { $0.at == moment } }
}
