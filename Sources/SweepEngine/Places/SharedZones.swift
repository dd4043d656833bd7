import CloudModel
import Journal

/// Zones that others share with the person. They are listed; leaving them is not supported yet, so
/// that a run with such a zone cannot end in 0.
struct SharedZones: Place {
    let kind = CoverageRow.Kind.sharedZones
    let scope = Database.Scope.shared
    let items: Set<ItemKind> = [.sharedZone]

    func find(_ look: PlaceLook) async throws(SweepFailure) -> Finding {
        let listing = ZoneListing(look: look, kind: kind) {
            look.row(.sharedZone, zone: $0.zoneName, name: $0.ownerRecordName ?? "")
        }
        var finding = try await listing.all()
        if try await wasFound(look) {
            finding.remarks.append(
                look.remark(kind, .unproven, "leaving shared zones is not supported yet"))
        }
        return finding
    }

    private func wasFound(_ look: PlaceLook) async throws(SweepFailure) -> Bool {
        do throws(JournalError) {
            return try await look.journal.seen(
                run: look.run, in: look.look, after: look.row(.sharedZone), limit: 1
            ).contains {
                $0.container == look.index && $0.scope == .shared && $0.kind == .sharedZone
            }
        } catch {
            throw .journal(error)
        }
    }
}
