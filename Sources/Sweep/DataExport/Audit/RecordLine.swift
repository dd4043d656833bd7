import JSON

/// One line of a file of records, as far as it is read again.
struct RecordLine {
    /// The file of one asset.
    struct AssetFile: Sendable, Hashable {
        let field: String
        let path: String
    }

    /// What lines are sorted by.
    let name: String
    let assets: [AssetFile]
    private let root: JSONValue

    /// - Throws: `damaged` when no export wrote the line.
    init(_ line: [UInt8]) throws(ExportError) {
        do throws(JSONError) {
            root = try JSONDocument.parse(line).root
        } catch {
            throw ExportError(.damaged, "a line is not JSON")
        }
        let record = root["record"]
        guard
            let name = record?["recordName"]?.string
                ?? root["subscription"]?["subscriptionID"]?.string
        else { throw ExportError(.damaged, "a line is neither a record nor a subscription") }
        self.name = name
        var assets: [AssetFile] = []
        if let list = root["assets"] {
            for asset in list.elements {
                guard let sha256 = asset["sha256"]?.string, ExportPath.isDigest(sha256),
                    asset["path"]?.string == ExportPath.asset(sha256),
                    let field = asset["field"]?.string
                else { throw ExportError(.damaged, "a line names something other than an asset") }
                assets.append(AssetFile(field: field, path: ExportPath.asset(sha256)))
            }
        }
        self.assets = assets
    }

    /// The values of a record's fields, by name, as JSON.
    var fields: [String: [UInt8]] {
        var fields: [String: [UInt8]] = [:]
        for member in (root["record"]?["fields"] ?? root).members {
            var json = JSONWriter()
            json.value(member.value)
            fields[member.key] = json.bytes
        }
        return fields
    }
}
