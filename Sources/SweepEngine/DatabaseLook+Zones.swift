import CloudModel
import DeletionPlanning
import Journal

extension DatabaseLook {
    /// The two feeds that tell of zones; neither is trusted to be complete.
    enum ZoneFeed: Sendable {
        case zonesList
        case databaseChanges

        func command(_ token: ChangeToken?) -> CloudCommand {
            switch self {
            case .zonesList: .listZones(token: token)
            case .databaseChanges: .databaseChanges(token: token, limit: nil)
            }
        }
    }

    /// Notes every zone of a feed, page by page.
    func listZones(
        _ feed: ZoneFeed, as kind: SeenKind
    ) async throws(SweepFailure) -> Inventory {
        var inventory = Inventory()
        var token: ChangeToken?
        var circles = LoopGuard(pagesMax: taker.request.limits.pagesMax)
        var startedAnew = false
        while true {
            do throws(SweepFailure) {
                let command = feed.command(token)
                guard case .zonePage(let page) = try await read(command) else {
                    throw .refused(.wrongReply(to: command))
                }
                // The other feed shows the same zones, but for few; it is the one that counts.
                try await take(page, as: kind, isNews: feed == .zonesList, &inventory)
                guard page.moreComing else { return inventory }
                guard let next = page.token else {
                    throw .refused(
                        CloudError(
                            .unexpectedResponse,
                            reason: "more is coming, but the page does not say where"))
                }
                do throws(CloudError) {
                    try circles.next(next.rawValue)
                } catch {
                    throw .refused(error)
                }
                token = next
            } catch {
                // A token can be too old by the time it is used: begin again, once.
                if case .refused(let cloudError) = error, cloudError.code == .badRequest,
                    token != nil, !startedAnew
                {
                    startedAnew = true
                    token = nil
                    continue
                }
                let row = try unlisted(kind.coverage(in: scope), nil, error)
                inventory.unlisted.append(row)
                return inventory
            }
        }
    }

    private func take(
        _ page: ZonePage, as kind: SeenKind, isNews: Bool, _ inventory: inout Inventory
    ) async throws(SweepFailure) {
        var rows: [SeenRow] = []
        for item in page.zones {
            switch item {
            case .zone(let zone):
                let name = zone.id.zoneName
                if zone.id.isDefault { continue }
                if kind == .zone, name.hasPrefix("_") {
                    let row = coverage(
                        .customZones, .notInScope,
                        "zones whose name begins with _ are the system's own", subject: name)
                    if !inventory.notInScope.contains(row) { inventory.notInScope.append(row) }
                    continue
                }
                guard (1...255).contains(name.utf8.count) else {
                    throw .refused(
                        CloudError(
                            .unexpectedResponse, reason: "a zone's name is empty or too long"))
                }
                let owner = kind == .sharedZone ? zone.id.ownerRecordName ?? "" : ""
                rows.append(row(kind, zone: name, name: owner))
            case .deleted: continue
            case .failure(_, let error) where error.code == .zoneNotFound: continue
            case .failure(_, let error): throw .refused(error)
            }
        }
        try await note(rows, isNews: isNews)
    }

    /// Asks for the zones that the list names, which no feed needs to show.
    func lookUpNamedZones() async throws(SweepFailure) -> Inventory {
        var inventory = Inventory()
        let names = target.zones.filter { !$0.hasPrefix("_") }
        for start in stride(from: 0, to: names.count, by: DeletionStep.itemsMax) {
            let ids = names[start..<min(start + DeletionStep.itemsMax, names.count)].map {
                RecordZone.ID($0)
            }
            do throws(SweepFailure) {
                guard case .zones(let items) = try await read(.lookUpZones(ids)),
                    items.count == ids.count
                else { throw .refused(.wrongReply(to: .lookUpZones(ids))) }
                var rows: [SeenRow] = []
                for (id, item) in zip(ids, items) {
                    switch item {
                    case .zone: rows.append(row(.zone, zone: id.zoneName))
                    case .deleted: continue
                    case .failure(_, let error) where error.code == .zoneNotFound: continue
                    case .failure(_, let error): throw .refused(error)
                    }
                }
                try await note(rows)
            } catch {
                inventory.unlisted.append(try unlisted(.customZones, "zones of the list", error))
            }
        }
        return inventory
    }

    // MARK: Into the zones

    /// Looks for record types that rules keep, in every zone that could hold them.
    ///
    /// The type filter of the change feed is not relied on: all records are read.
    func lookIntoZones() async throws(SweepFailure) -> Inventory {
        var inventory = Inventory()
        let policy = taker.request.policy
        guard policy.protect.contains(where: { $0.recordType != nil && concerns($0) }) else {
            return inventory
        }
        var last = row(.zone)
        while true {
            let page = try await seen(after: last, limit: 100)
            guard let end = page.last else { return inventory }
            for zone in page {
                guard zone.container == index, zone.scope == scope.number,
                    zone.kind == SeenKind.zone.rawValue
                else { return inventory }
                let kept = policy.typesKept(inZone: zone.zone, of: target.container)
                if kept.isEmpty || policy.ruleKeepingZone(zone.zone, in: target.container) != nil {
                    continue
                }
                do throws(SweepFailure) {
                    try await look(into: zone, for: Set(kept))
                } catch {
                    inventory.unlisted.append(try unlisted(.customZones, zone.zone, error))
                }
            }
            last = end
        }
    }

    private func concerns(_ rule: ProtectRule) -> Bool { rule.concerns(target.container) }

    private func look(into zone: SeenRow, for kept: Set<String>) async throws(SweepFailure) {
        var holdsKept = false
        try await records(of: zone.zone) { record in
            if kept.contains(record.recordType) { holdsKept = true }
            return holdsKept
        }
        if holdsKept {
            var rows: [SeenRow] = []
            try await records(of: zone.zone) { record in
                rows.append(
                    row(
                        .zoneRecord, zone: zone.zone, type: record.recordType,
                        name: record.id.recordName))
                return false
            } afterPage: { () async throws(SweepFailure) in
                try await note(rows)
                rows = []
            }
        }
        var looked = zone
        let contents: Observation.Contents = holdsKept ? .holdsKept : .nothingKept
        looked.detail = contents.number
        try await taker.journal.keep([.detail(pass: taker.pass, looked)], run: taker.run)
    }

    /// Reads the records of a custom zone until `visit` says enough.
    private func records(
        of zone: String, _ visit: (Record) -> Bool,
        afterPage: () async throws(SweepFailure) -> Void = {}
    ) async throws(SweepFailure) {
        var token: ChangeToken?
        var circles = LoopGuard(pagesMax: taker.request.limits.pagesMax)
        while true {
            let command = CloudCommand.zoneChanges([
                ZoneChangesRequest(
                    zoneID: RecordZone.ID(zone), token: token, limit: 200, desiredKeys: [])
            ])
            guard case .zoneChanges(let items) = try await read(command), let item = items.first
            else { throw .refused(.wrongReply(to: command)) }
            switch item {
            case .failure(_, let error) where error.code == .zoneNotFound:
                return
            case .failure(_, let error):
                throw .refused(error)
            case .page(let page):
                for entry in page.records {
                    switch entry {
                    case .record(let record): if visit(record) { return }
                    case .deleted: continue
                    case .failure(_, let error): throw .refused(error)
                    }
                }
                try await afterPage()
                guard page.moreComing else { return }
                do throws(CloudError) {
                    try circles.next(page.token.rawValue)
                } catch {
                    throw .refused(error)
                }
                token = page.token
            }
        }
    }
}
