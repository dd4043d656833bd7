import CloudWire
import FileSystem
import JSON

/// An asset of an archive on its way to the disk.
final class ArchiveAsset {
    let digest: AssetDigest
    private let size: Int64
    private var written: Int64 = 0
    private var draft: AssetDraft?

    init(_ json: JSONValue) throws(ArchiveError) {
        guard let digest = json["digest"]?.string.flatMap({ AssetDigest(name: $0) }) else {
            throw ArchiveError(
                json["digest"] ?? json, "\"digest\" must be 40 hexadecimal digits")
        }
        let most = Int64(WireLimits.assetBytesMax)
        guard let size = json["size"]?.int64, (0...most).contains(size) else {
            throw ArchiveError(
                json["size"] ?? json, "\"size\" must be a whole number from 0 to \(most)")
        }
        (self.digest, self.size) = (digest, size)
    }

    /// As it is written.
    var line: [UInt8] { ArchiveWriter.line(of: digest, size: size) }

    /// How many bytes the next line has; 0 at the end.
    var nextCount: Int { Int(min(size - written, Int64(ArchiveFormat.assetBytes))) }

    func begin(on disk: AssetDisk) throws(FileError) { draft = disk.begin() }

    func write(_ bytes: [UInt8]) throws(FileError) {
        try draft?.write(bytes)
        written += Int64(bytes.count)
    }

    /// What was written.
    func takeDraft() -> AssetDraft? { draft.take() }
}
