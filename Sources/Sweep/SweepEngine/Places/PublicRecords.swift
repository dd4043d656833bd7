import CloudModel
import DeletionPlanning
import Journal

/// The public records that the person created, type by type; and whose records go along with them.
struct PublicRecords: RecordPlace {
    let kind = CoverageRow.Kind.publicRecords
    let scope = Database.Scope.public
    let items: Set<ItemKind> = [.record]
    let needsTypes = true

    func find(_ look: PlaceLook) async throws(SweepFailure) -> Finding {
        var finding = try await TypedListing(look: look, kind: kind).all()
        if look.look != .verification, try await hasRecords(look) {
            finding.add(try await OthersReferences(look: look, kind: kind).all())
        }
        return finding
    }

    /// Whether anything was noted that could take other records along.
    private func hasRecords(_ look: PlaceLook) async throws(SweepFailure) -> Bool {
        do throws(JournalError) {
            return try await look.journal.seen(
                run: look.run, in: look.look, after: look.row(.record), limit: 1
            ).contains {
                $0.container == look.index && $0.scope == .public && $0.kind == .record
            }
        } catch {
            throw .journal(error)
        }
    }

    func remove(
        _ names: [String], of step: DeletionStep, through channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        guard case .records(_, let type, _) = step.work else { return [:] }
        return try await RecordAccess.removeMine(names, of: step, through: channel).mapValues {
            guard case .failure(let error) = $0, error != .isNotMine else { return $0 }
            return .failure(PublicGrants.explained(error, .write, on: type, channel.request))
        }
    }
}
