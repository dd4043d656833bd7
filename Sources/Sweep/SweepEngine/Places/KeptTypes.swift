import CloudModel
import DeletionPlanning
import Journal

/// The second source for what rules keep in custom zones: queries by record type, over all zones.
///
/// A zone goes as a whole when its feed of changes shows nothing that a rule keeps. That is too
/// much to believe of one answer: where a query finds a kept record that the feed did not show, the
/// two contradict each other, and the look is not complete. A type that the service does not know,
/// or cannot list for want of an index, has no second source; then the feed alone decides.
struct KeptTypes: Sendable {
    let look: PlaceLook

    /// Compares what queries find with what this look has noted.
    ///
    /// - Parameter types: The record types that rules keep somewhere in the container.
    func compare(_ types: Set<String>) async throws(SweepFailure) -> Finding {
        var finding = Finding.complete
        for type in types.sorted() {
            do throws(SweepFailure) {
                try await compare(type)
            } catch {
                finding.add(try look.unread(.customZones, "\(type) in all zones", error))
            }
        }
        return finding
    }

    private func compare(_ type: String) async throws(SweepFailure) {
        for filters in look.wholeTypeFilters {
            do throws(SweepFailure) {
                try await look.eachRecordPage(
                    ofType: type, filters, desiredKeys: [], zoneWide: true
                ) { (records) async throws(SweepFailure) in try await expect(records) }
                return
            } catch {
                guard case .refused(let refusal) = error else { throw error }
                switch refusal.code {
                case .notFound: return
                // Without the index for this way, another may do.
                case .badRequest: continue
                default: throw error
                }
            }
        }
    }

    /// What is kept must have been noted when its zone was looked into.
    private func expect(_ records: [Record]) async throws(SweepFailure) {
        let policy = look.request.policy
        let rows = records.compactMap { record -> SeenRow? in
            let zone = record.id.zoneID.zoneName
            guard !record.id.zoneID.isDefault, !zone.hasPrefix("_"),
                policy.ruleKeepingZone(zone, in: look.container) == nil,
                policy.typesKept(inZone: zone, of: look.container).contains(record.recordType)
            else { return nil }
            return look.row(
                .zoneRecord, zone: zone, type: record.recordType, name: record.id.recordName)
        }
        let noted: Int
        do throws(JournalError) {
            noted = try await look.journal.seen(rows, run: look.run, in: look.look).count
        } catch {
            throw .journal(error)
        }
        guard noted == rows.count else {
            throw .refused(
                CloudError(
                    .unexpectedResponse,
                    reason: "a query finds records that a rule keeps, but the changes of their "
                        + "zones do not contain them"))
        }
    }
}
