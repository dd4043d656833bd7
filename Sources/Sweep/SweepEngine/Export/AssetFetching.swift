import CloudCourier
import CloudModel
import DataExport

/// Fetches the assets of records of one zone into a folder.
struct AssetFetching: Sendable {
    /// Transfers under way at once for one page of records.
    static let transfersMax = 4

    let look: PlaceLook
    let folder: ExportFolder
    let assets: any AssetReading
    let zone: RecordZone.ID
    let part: ExportFolder.OpenPart

    private struct Wanted: Sendable {
        /// The record's place in the page.
        let index: Int
        let record: String
        let slot: AssetSlot
        let asset: Asset
    }

    /// Fetches every asset of `records`.
    ///
    /// - Returns: where they are, record by record.
    func fetch(_ records: [Record]) async throws(SweepFailure) -> [[AssetSlot: StoredAsset]] {
        var stored = [[AssetSlot: StoredAsset]](repeating: [:], count: records.count)
        let wanted = records.enumerated().flatMap { index, record in
            AssetSlot.all(in: record).map {
                Wanted(index: index, record: record.id.recordName, slot: $0.slot, asset: $0.asset)
            }
        }
        guard !wanted.isEmpty else { return stored }
        typealias Fetched = Result<(Wanted, StoredAsset), SweepFailure>
        let results = await withTaskGroup(of: Fetched.self) { group in
            var results: [Fetched] = []
            for (number, one) in wanted.enumerated() {
                if number >= Self.transfersMax, let result = await group.next() {
                    results.append(result)
                    if case .failure = result { break }
                }
                group.addTask {
                    await attempt { () async throws(SweepFailure) in (one, try await fetch(one)) }
                }
            }
            for await result in group { results.append(result) }
            return results
        }
        for result in results {
            let (one, asset) = try result.get()
            stored[one.index][one.slot] = asset
        }
        return stored
    }

    /// Fetches one asset; what goes wrong is repeated as for any request, from a fresh address.
    private func fetch(_ wanted: Wanted) async throws(SweepFailure) -> StoredAsset {
        let known = try await exporting { () async throws(ExportError) in
            try await folder.stored(
                wanted.asset, at: wanted.slot, of: wanted.record, in: part)
        }
        if let known { return known }
        var budget = RetryBudget(attempts: look.request.limits.attemptsMax)
        var asset = wanted.asset
        while true {
            if look.courier.isStopped { throw .stopped }
            switch try await fetchOnce(asset, wanted) {
            case .success(let stored): return stored
            case .failure(let error):
                try await look.courier.waitOrGiveUp(error, &budget, at: look.database.address)
                asset = try await freshAddress(of: wanted)
            }
        }
    }

    private func fetchOnce(
        _ asset: Asset, _ wanted: Wanted
    ) async throws(SweepFailure) -> Result<StoredAsset, CloudError> {
        let draft = try await exporting { () async throws(ExportError) in try await folder.begin() }
        do throws(CloudError) {
            try await assets.read(asset) { draft.take($0) }
        } catch {
            if let failure = draft.failure { throw .export(failure) }
            return .failure(error)
        }
        do throws(ExportError) {
            return .success(
                try await folder.keep(
                    draft, as: asset, at: wanted.slot, of: wanted.record, in: part))
        } catch {
            guard error.code == .otherAsset else { throw .export(error) }
            return .failure(CloudError(.unexpectedResponse, reason: error.reason))
        }
    }

    /// Asks for the record again: an address is good for a while only.
    ///
    /// - Throws: `refused` when the record has another asset by now.
    private func freshAddress(of wanted: Wanted) async throws(SweepFailure) -> Asset {
        let command = CloudRead.lookUpRecords(
            RecordLookupRequest(
                recordNames: [wanted.record], zoneID: zone, desiredKeys: [wanted.slot.field]))
        guard case .records(let reply) = try await look.read(command), reply.records.count == 1
        else { throw .refused(.wrongReply(to: command)) }
        switch reply.records[0] {
        case .record(let record):
            let found = AssetSlot.all(in: record).first { $0.slot == wanted.slot }
            guard let asset = found?.asset, asset.fileChecksum == wanted.asset.fileChecksum,
                asset.size == wanted.asset.size
            else {
                throw .refused(
                    CloudError(.conflict, reason: "a record was changed during the export"))
            }
            return asset
        case .deleted: throw .refused(.wrongReply(to: command))
        case .failure(_, let error): throw .refused(error)
        }
    }
}
