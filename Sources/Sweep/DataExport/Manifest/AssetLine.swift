import JSON

/// One line of the list of assets.
struct AssetLine: Sendable, Hashable {
    let sha256: String
    let bytes: Int64

    var path: String { ExportPath.asset(sha256) }

    var text: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("bytes", bytes)
            json.member("path", path)
            json.member("sha256", sha256)
        }
        json.endLine()
        return json.bytes
    }

    init(sha256: String, bytes: Int64) {
        self.sha256 = sha256
        self.bytes = bytes
    }

    /// Reads a line; nil when it is not exactly what ``text`` writes.
    init?(_ line: [UInt8]) {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument.parse(line).root
        } catch {
            return nil
        }
        guard let sha256 = root["sha256"]?.string, ExportPath.isDigest(sha256),
            let bytes = root["bytes"]?.int64, bytes >= 0
        else { return nil }
        self.init(sha256: sha256, bytes: bytes)
        guard text.dropLast() == line[...] else { return nil }
    }
}
