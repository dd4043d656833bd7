import CloudModel

extension RecordBatch {
    /// New values of a record, its assets as they are to be kept.
    ///
    /// - Throws: BAD_REQUEST for an asset that was not uploaded for this field.
    func claimAssets(
        in fields: [String: Field?], of record: String, was old: StoredRecord?
    ) throws(CloudError) -> [String: Field?] {
        var claimed = fields
        for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
            guard var field, field.value.kind == .asset else { continue }
            guard !field.isEncrypted else {
                throw CloudError(
                    .badRequest, reason: "an asset cannot be an encrypted field: '\(name)'")
            }
            let place = AssetField(record, name)
            let known = Set((old?.assets ?? []).filter { $0.field == name }.map(\.digest))
            func claim(_ value: FieldValue) throws(CloudError) -> FieldValue {
                guard case .asset(let asset) = value else { return value }
                return .asset(
                    try records.assets.claimed(
                        asset, for: place, in: writer.row.incarnation, was: known,
                        now: session.now))
            }
            if case .list(let kind, let elements) = field.value {
                var kept: [FieldValue] = []
                for element in elements { kept.append(try claim(element)) }
                field.value = .list(kind, kept)
            } else {
                field.value = try claim(field.value)
            }
            claimed[name] = .some(field)
        }
        return claimed
    }

    /// Changes which assets a record has.
    func relinkAssets(
        _ name: String, from old: Set<AssetLink>, to new: Set<AssetLink>
    ) throws(CloudError) {
        guard old != new else { return }
        try tables.assets.relink(name, in: writer.row.incarnation, from: old, to: new)
        if !old.isSubset(of: new) { records.assets.mayHaveGarbage = true }
    }
}

extension StoredRecord {
    /// The assets it has, by field.
    var assets: Set<AssetLink> {
        var links: Set<AssetLink> = []
        for (name, field) in fields where field.value.kind == .asset {
            let values =
                if case .list(_, let elements) = field.value { elements } else { [field.value] }
            for case .asset(let asset) in values {
                guard let digest = AssetDigest(checksum: asset.fileChecksum) else { continue }
                links.insert(AssetLink(field: name, digest: digest))
            }
        }
        return links
    }
}
