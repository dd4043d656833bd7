import CloudModel
import DeletionPlanning
import Journal

/// The files beside the person's records. They end with their records, so that nothing is removed here;
/// ``AssetCheck`` asks the addresses that answers gave for them whether they are gone.
///
/// The places that read records note the assets they come across, see ``PlaceLook/noteAssets(of:in:)``.
struct Assets: DependentPlace {
    let kind = CoverageRow.Kind.assets
    let scope: Database.Scope
    let items: Set<ItemKind> = [.asset]
    let isPart = true

    /// Says so where nobody knows which fields hold assets.
    func find(_ look: PlaceLook) async throws(SweepFailure) -> Finding {
        guard scope == .private, look.target.assetFields == nil else { return .complete }
        return Finding(
            isComplete: true,
            remarks: [
                look.remark(
                    kind, .notInScope,
                    "the fields with assets are unknown, so their addresses were not requested: "
                        + "add the container's schema")
            ])
    }
}

extension PlaceLook {
    /// The fields to ask for in records of `type`, so that their assets are told of; nil: all of them.
    ///
    /// None in a pass of the verification: what is there then is left, whatever it holds.
    func assetKeys(of type: String) -> [String]? {
        guard look != .verification, let fields = target.assetFields else { return [] }
        return fields.keys(of: type)
    }

    /// Notes the assets of records that are to go, with the addresses that they can be had at.
    ///
    /// - Parameter zone: As rows name it: with its owner where that is another person.
    func noteAssets(of records: [Record], in zone: String) async throws(SweepFailure) {
        guard look != .verification else { return }
        let name = RecordZone.ID(qualifiedName: zone).zoneName
        var (rows, addresses): ([SeenRow], [AssetAddresses.Entry]) = ([], [])
        for record in records
        where request.policy.ruleKeepingRecord(type: record.recordType, zone: name, in: container)
            == nil
        {
            for (field, asset) in record.assets {
                let row = row(
                    .asset, zone: zone, type: record.recordType,
                    name: "\(record.id.recordName) \(field)")
                rows.append(row)
                // An empty one is none.
                if let url = asset.downloadURL, !url.isEmpty { addresses.append((row, url)) }
            }
        }
        guard !rows.isEmpty else { return }
        try await journal.remember([.seen(.assets, rows)], run: run)
        try await AssetAddresses(journal: journal, run: run).keep(addresses)
    }
}

extension Record {
    /// Its assets, each with a name within the record: the field's, and the place in its list.
    fileprivate var assets: [(name: String, asset: Asset)] {
        fields.sorted { $0.key < $1.key }.flatMap { key, field -> [(String, Asset)] in
            switch field.value {
            case .asset(let asset): [("\(key) 0", asset)]
            case .list(.asset, let values):
                values.enumerated().compactMap { number, value in
                    if case .asset(let asset) = value { ("\(key) \(number)", asset) } else { nil }
                }
            case .string, .int64, .double, .bytes, .timestamp, .location, .reference, .list: []
            }
        }
    }
}
