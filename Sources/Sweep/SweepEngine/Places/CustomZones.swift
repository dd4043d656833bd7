import CloudModel
import DeletionPlanning
import Journal

/// The custom zones of the private database: listed, deleted whole, and asked one by one whether
/// they are gone.
struct CustomZones: Place {
    let kind = CoverageRow.Kind.customZones
    let scope = Database.Scope.private
    let items: Set<ItemKind> = [.zone]

    func find(_ look: PlaceLook) async throws(SweepFailure) -> Finding {
        let listing = ZoneListing(look: look, kind: kind) { look.row(.zone, zone: $0.zoneName) }
        async let listed = attempt { () async throws(SweepFailure) in try await listing.all() }
        async let named = attempt { () async throws(SweepFailure) in try await lookUpNamed(look) }
        var finding = try await listed.get()
        finding.add(try await named.get())
        // Only now is it known which zones there are.
        finding.add(try await ZoneContents(look: look).lookIntoAll())
        if let assets = ZoneAssets(look: look) { finding.add(try await assets.noteAll()) }
        finding.add(try await ZoneCensus(look: look).countAll())
        return finding
    }

    /// Asks for the zones that the list names, which no feed needs to show.
    private func lookUpNamed(_ look: PlaceLook) async throws(SweepFailure) -> Finding {
        let names = look.target.zones.filter { !$0.hasPrefix("_") }
        do throws(SweepFailure) {
            try await NameBatches.each(of: names) { (batch) async throws(SweepFailure) in
                let command = CloudRead.lookUpZones(batch.map { look.own(RecordZone.ID($0)) })
                guard case .zones(let items) = try await look.read(command),
                    items.count == batch.count
                else { throw .refused(.wrongReply(to: command)) }
                var rows: [SeenRow] = []
                for (name, item) in zip(batch, items) {
                    switch item {
                    case .zone: rows.append(look.row(.zone, zone: name))
                    case .deleted: throw .refused(.wrongReply(to: command))
                    case .failure(_, let error) where error.code == .zoneNotFound: continue
                    case .failure(_, let error): throw .refused(error)
                    }
                }
                try await look.note(rows)
            }
            return .complete
        } catch {
            return try look.unread(kind, "zones of the list", error)
        }
    }

    func answering(
        _ step: DeletionStep, _ look: PlaceLook
    ) async throws(SweepFailure) -> [String] {
        try await ZoneAccess.answering(step, look)
    }

    func remove(
        _ names: [String], of step: DeletionStep, through channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        try await ZoneAccess.remove(names, through: channel)
    }
}
