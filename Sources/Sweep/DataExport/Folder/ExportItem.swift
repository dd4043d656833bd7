package import CloudModel
import CloudWire
import JSON

/// One line of a file of records.
package struct ExportItem: Sendable {
    /// Unique in its part; lines are sorted by it.
    let name: String
    let type: String
    let line: [UInt8]
    let assets: [AssetSlot: (checksum: String, stored: StoredAsset)]

    /// A record, with where the bytes of its assets are.
    ///
    /// - Precondition: `stored` has every asset of the record.
    package init(_ record: Record, stored: [AssetSlot: StoredAsset]) {
        name = record.id.recordName
        type = record.recordType
        var assets: [AssetSlot: (checksum: String, stored: StoredAsset)] = [:]
        var json = JSONWriter()
        json.beginObject()
        json.objects("assets", AssetSlot.all(in: record)) { json, found in
            guard let file = stored[found.slot] else { preconditionFailure("an asset is missing") }
            assets[found.slot] = (found.asset.fileChecksum, file)
            json.member("bytes", file.bytes)
            json.member("confirmed", file.isConfirmed)
            json.member("field", found.slot.field)
            json.member("path", file.path)
            json.member("position", found.slot.position)
            json.member("sha256", file.sha256)
        }
        json.key("record")
        json.raw(DumpLine.json(of: record.withoutSecrets))
        json.endObject()
        json.endLine()
        line = json.bytes
        self.assets = assets
    }

    /// A subscription.
    package init(_ subscription: Subscription, of person: String) {
        name = subscription.subscriptionID
        type = ""
        line = DumpLine.subscription(subscription, userRecordName: person).text
        assets = [:]
    }
}

extension Record {
    /// The same without the addresses of its assets, which are good for a while for whoever has
    /// them, and say nothing about the person.
    fileprivate var withoutSecrets: Record {
        var record = self
        for (name, field) in fields { record.fields[name]?.value = field.value.withoutSecrets }
        return record
    }
}

extension FieldValue {
    fileprivate var withoutSecrets: FieldValue {
        switch self {
        case .asset(var asset):
            asset.downloadURL = nil
            asset.receipt = nil
            return .asset(asset)
        case .list(let kind, let values): return .list(kind, values.map(\.withoutSecrets))
        case .string, .int64, .double, .bytes, .timestamp, .location, .reference: return self
        }
    }
}
