import CloudModel
import DonationSync

/// Another engine of the same user that writes into the donation zone, as real ones do.
final class SimOpponent {
    let kind: SimPlan.Opponent
    /// The first and the latest it ever saw of each record.
    private var first: [String: Record] = [:]
    private var latest: [String: Record] = [:]

    init(_ kind: SimPlan.Opponent) { self.kind = kind }

    func act(in simulation: Simulation) throws {
        let present = read(simulation)
        for record in present.values {
            first[record.id.recordName] = first[record.id.recordName] ?? record
            latest[record.id.recordName] = record
        }
        guard simulation.acts.chance(0.5) else { return }
        switch kind {
        case .reuploader:
            guard !present.isEmpty else { return }
            let gone = latest.keys.filter { $0.hasPrefix("d-") && present[$0] == nil }.sorted()
            guard !gone.isEmpty else { return }
            save(simulation.acts.pick(gone), from: latest, simulation)
        case .recreator:
            guard present.isEmpty else { return }
            simulation.commit(
                .write(.modifyZones([.create(SimWorld.zone.zoneID)])), at: SimWorld.private,
                by: "ada",
                device: nil)
            simulation.journal.note(50, words: "the opponent creates the zone again")
            for name in latest.keys.sorted() where name != "zone" || simulation.acts.chance(0.5) {
                save(name, from: latest, simulation)
            }
        case .revenant:
            let old = first.keys.filter { $0.hasPrefix("d-") && present[$0] != nil }.sorted()
            guard !old.isEmpty else { return }
            save(simulation.acts.pick(old), from: first, simulation)
        }
        if let breach = simulation.breach { throw breach }
    }

    private func save(
        _ name: String, from stash: [String: Record], _ simulation: Simulation
    ) {
        guard let record = stash[name] else { return }
        simulation.journal.note(51, words: "the opponent saves \(name.prefix(12))")
        if let now = latest[name], case .string(let title)? = now.fields["title"]?.value,
            let tag = Int(title.dropFirst())
        {
            // What is saved over, or brought back and taken away again, may be lost.
            let kind = simulation.truth.made[tag].row.kind
            let name = simulation.truth.made[tag].row.identifier
            simulation.truth.doubt { $0.row.kind == kind && $0.row.identifier == name }
        }
        simulation.commit(
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: [
                            RecordOperation(
                                .forceReplace, recordName: name, recordType: record.recordType,
                                fields: record.fields.mapValues { $0 })
                        ], zoneID: SimWorld.zone.zoneID, atomic: false))),
            at: SimWorld.private, by: "ada", device: nil)
    }

    /// Every record of the donation zone.
    private func read(_ simulation: Simulation) -> [String: Record] {
        var records: [String: Record] = [:]
        var token: ChangeToken?
        while true {
            let request = ZoneChangesRequest(zoneID: SimWorld.zone.zoneID, token: token)
            let reply = simulation.commit(
                .read(.zoneChanges([request])), at: SimWorld.private, by: "ada", device: nil)
            guard case .success(.zoneChanges(let items)) = reply,
                case .page(let page)? = items.first
            else { return records }
            for item in page.records {
                switch item {
                case .record(let record): records[record.id.recordName] = record
                case .deleted(let name, _): records[name] = nil
                case .failure: continue
                }
            }
            guard page.moreComing else { return records }
            token = page.token
        }
    }
}
