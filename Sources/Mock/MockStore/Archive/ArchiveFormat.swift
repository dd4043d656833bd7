package import CloudWire

/// The format of archives.
package enum ArchiveFormat {
    /// Grows with each change that earlier versions cannot read.
    static let number: Int64 = 1
    /// How long a line may be: the longest is a record's.
    static let lineBytesMax = 32 << 20
    /// How long an archive may be.
    package static let bytesMax = 8 << 30
    /// Bytes of an asset in one line.
    static let assetBytes = 48 << 10

    // The keys of lines without rows.
    static let head = "archive"
    static let settings = "world"
    static let store = "store"
    static let asset = "asset"
    static let bytes = "bytes"
    static let end = "end"

    /// All keys of lines, with the shapes of their values.
    package static var lines: [Shape.Member] {
        let objects = [head, settings, store] + ArchiveSection.all.map(\.name) + [asset, end]
        return objects.map { Shape.Member($0, .map(.any)) } + [Shape.Member(bytes, .text)]
    }
}
