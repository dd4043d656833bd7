import CloudModel
import DonationStore
import DonationSync
import Donations
import Journal

/// The local donations linked to what a sweep deletes: counted, deleted before the content they
/// tell of, and looked for again.
struct DonationPass: Sendable {
    let store: DonationStore
    let request: SweepRequest

    /// Looks, container by container, in the order of the list.
    func look() async throws(SweepFailure) -> [DonationTally] {
        var tallies: [DonationTally] = []
        for target in request.targets {
            do throws(DonationError) {
                let groups = try await store.linkedZones(of: target.container.rawValue)
                tallies.append(DonationTally(groups, of: target.container, request))
            } catch {
                throw .donations(error)
            }
        }
        return tallies
    }

    /// Has the store take no donations about zones that a run erases, from now on.
    func fence(
        _ places: [(address: Database.Address, zones: [RecordZone.ID])], by run: RunRow,
        of users: [Container.ID: UserIdentity]
    ) async throws(SweepFailure) {
        let fences = places.flatMap { address, zones in
            zones.map {
                SyncFence(
                    address: address, zone: $0, run: run.id, since: run.began,
                    user: users[address.container]?.userRecordName)
            }
        }
        guard !fences.isEmpty else { return }
        do throws(DonationError) {
            try await store.sync { sync throws(DonationError) in try sync.setFences(fences) }
        } catch {
            throw .donations(error)
        }
    }

    /// Deletes what the selectors mean; those that wait together share one commit. When this
    /// returns, it is gone for good.
    func delete(
        _ selectors: [DonationSelector]
    ) async throws(SweepFailure) -> [DonationReceipt] {
        let results = await withTaskGroup(of: Result<DonationReceipt, DonationError>.self) {
            group in
            for selector in selectors {
                group.addTask {
                    do throws(DonationError) {
                        return .success(try await store.delete(selector, scope: .everywhere))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var results: [Result<DonationReceipt, DonationError>] = []
            for await result in group { results.append(result) }
            return results
        }
        do throws(DonationError) {
            var receipts: [DonationReceipt] = []
            for result in results { receipts.append(try result.get()) }
            return receipts
        } catch {
            throw .donations(error)
        }
    }
}
