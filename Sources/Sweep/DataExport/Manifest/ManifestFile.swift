import JSON

/// One file that the manifest names.
struct ManifestFile: Sendable, Hashable {
    let path: String
    let digest: FileDigest
    /// Lines, or donations.
    let count: Int
    /// How many of the records are shares.
    var shares = 0
    /// What is in it, in words.
    let kind: String
    /// Bytes of all assets, in the list of these.
    var assetBytes: Int64 = 0
    /// Which records are in it; nil: none are.
    var part: ExportPart?

    init(path: String, digest: FileDigest, count: Int, kind: String, assetBytes: Int64 = 0) {
        self.path = path
        self.digest = digest
        self.count = count
        self.kind = kind
        self.assetBytes = assetBytes
    }

    init(path: String, digest: FileDigest, count: Int, shares: Int, part: ExportPart) {
        self.init(path: path, digest: digest, count: count, kind: part.kind.rawValue)
        self.shares = shares
        self.part = part
    }

    /// Adds what is in it.
    func add(to totals: inout ExportTotals) {
        totals.files += 1
        totals.shares += shares
        totals.assetBytes += assetBytes
        switch path {
        case ExportPath.assetList: totals.assets += count
        case ExportPath.donations: totals.donations += count
        default:
            if part?.kind == .subscriptions {
                totals.subscriptions += count
            } else {
                totals.records += count
            }
        }
    }

    /// Keys in the order of RFC 8785.
    func write(to json: inout JSONWriter) {
        json.object { json in
            if path == ExportPath.assetList { json.member("assetBytes", assetBytes) }
            json.member("bytes", digest.bytes)
            json.member("container", part?.container.rawValue)
            json.member("count", count)
            json.member("database", part?.scope.rawValue)
            json.member("kind", kind)
            if let part, !part.owner.isEmpty { json.member("owner", part.owner) }
            json.member("path", path)
            json.member("sha256", digest.sha256)
            if part != nil { json.member("shares", shares) }
            if let part, part.kind == .zone || !part.zone.isEmpty { json.member("zone", part.zone) }
        }
    }
}
