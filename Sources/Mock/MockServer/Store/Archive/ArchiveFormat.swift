import CloudWire

/// What is common to those who write archives and those who read them.
enum ArchiveFormat {
    /// Grows with each change that earlier versions cannot read.
    static let number: Int64 = 1
    /// How long a line may be: the longest is a record's.
    static let lineBytesMax = 32 << 20
    /// How long an archive may be.
    static let bytesMax = 8 << 30
    /// Bytes of an asset in one line.
    static let assetBytes = 48 << 10

    // The keys of lines that are no rows.
    static let head = "archive"
    static let world = "world"
    static let store = "store"
    static let asset = "asset"
    static let bytes = "bytes"
    static let end = "end"

    /// All keys of lines, and what stands under them.
    static var lines: [Shape.Member] {
        let objects = [head, world, store] + ArchiveSection.all.map(\.name) + [asset, end]
        return objects.map { Shape.Member($0, .map(.any)) } + [Shape.Member(bytes, .text)]
    }
}
