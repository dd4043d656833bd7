import Basics

/// The paths inside an export, all of our own making.
enum ExportPath {
    static let manifest = "manifest.json"
    /// An envelope with signatures over the manifest, where the operator has a key.
    static let signature = "manifest.signature.json"
    static let assetList = "assets.jsonl"
    static let donations = "donations.json"
    static let records = "records"
    static let assets = "assets"
    /// What is under way and bears no final name yet.
    static let incoming = "incoming"
    static let state = "export.sqlite"
    static let lock = "export.lock"

    static let stateFiles = ["", "-wal", "-shm", "-journal"].map { state + $0 }
    /// What an export under way keeps beside its files.
    static let working = Set(stateFiles + [incoming, lock])
    /// Everything that stands in the folder itself.
    static let all = working.union([manifest, signature, assetList, donations, records, assets])

    /// The file of an asset, by the SHA-256 of its bytes in hexadecimal.
    static func asset(_ digest: String) -> String { "\(assets)/\(digest.prefix(2))/\(digest)" }

    /// Whether a manifest may name the path: nothing else than what is written here, so that no
    /// manifest can lead out of the folder.
    static func isOfFile(_ path: String) -> Bool {
        if path == assetList || path == donations { return true }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == records, parts[1].hasSuffix(".jsonl") else {
            return false
        }
        return isDigest(parts[1].dropLast(6))
    }

    /// Whether a text is a SHA-256 in hexadecimal.
    static func isDigest(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 64 && Hexadecimal.decode(String(text)) != nil
    }
}
