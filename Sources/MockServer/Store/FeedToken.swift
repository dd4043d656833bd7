import CloudModel

/// A position in a zone's or a database's feed: 36 bytes, 48 characters of base64.
struct FeedToken: Hashable {
    enum Kind: UInt8 {
        case zone = 1
        case database = 2
    }
    /// Why a text is no token of ours.
    enum Problem: Error, Hashable {
        case unknownType
        case invalidFormat
    }

    static let version: UInt8 = 1
    private static let scanFlag: UInt16 = 0x100

    var kind: Kind
    /// Empty pages already given at this position; zones only.
    var emptyPagesGiven: UInt8 = 0
    /// A number without meaning, for tokens whose text differs each time; databases only.
    var nonce: UInt16 = 0
    var incarnation: Int64 = 0
    /// Everything up to here has been delivered.
    var sequence: Int64
    /// During a scan that leaves out earlier deletions, or begins where some were forgotten:
    /// where the feed ended when it began.
    var scanStart: Int64?
    /// Of account, container, environment, database and zone.
    var digest: UInt64
    var epoch: UInt32

    var text: String {
        var flags = kind == .zone ? UInt16(emptyPagesGiven) : nonce
        var position = UInt64(bitPattern: sequence)
        if kind == .zone, let scanStart, scanStart <= UInt32.max, sequence <= UInt32.max {
            flags |= Self.scanFlag
            position |= UInt64(bitPattern: scanStart) << 32
        }
        // A database has no incarnation.
        let second = kind == .zone ? incarnation : scanStart ?? 0
        var bytes = InlineArray<36, UInt8>(repeating: 0)
        let head = UInt32(Self.version) << 24 | UInt32(kind.rawValue) << 16 | UInt32(flags)
        Self.write(head, at: 0, in: &bytes)
        Self.write(UInt64(bitPattern: second), at: 4, in: &bytes)
        Self.write(position, at: 12, in: &bytes)
        Self.write(digest, at: 20, in: &bytes)
        Self.write(epoch, at: 28, in: &bytes)
        Self.write(CRC32C.checksum(bytes.span.extracting(..<32)), at: 32, in: &bytes)
        return Base64.encode(bytes.span)
    }

    /// Puts a number where it belongs, its highest byte first.
    private static func write(
        _ number: some FixedWidthInteger, at start: Int, in bytes: inout InlineArray<36, UInt8>
    ) {
        for index in 0..<number.bitWidth / 8 {
            let shift = number.bitWidth - 8 - 8 * index
            bytes[start + index] = UInt8(truncatingIfNeeded: number >> shift)
        }
    }

    var changeToken: ChangeToken { ChangeToken(text) }

    init(kind: Kind, incarnation: Int64 = 0, sequence: Int64, digest: UInt64, epoch: UInt32) {
        self.kind = kind
        self.incarnation = incarnation
        self.sequence = sequence
        self.digest = digest
        self.epoch = epoch
    }

    /// Reads a token of one kind.
    init(_ text: String, kind: Kind) throws(Problem) {
        // A token cut anywhere is told from one that never was: whole groups are looked at.
        let whole = text.utf8.count / 4 * 4
        guard let bytes = Base64.decode(String(decoding: text.utf8.prefix(whole), as: UTF8.self)),
            bytes.count >= 2,
            bytes[0] == Self.version, bytes[1] == kind.rawValue
        else { throw .unknownType }
        guard bytes.count == 36, whole == text.utf8.count else { throw .invalidFormat }
        let checksum = bytes[32...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard CRC32C.checksum(bytes.span.extracting(..<32)) == checksum else {
            throw .invalidFormat
        }
        var reader = ByteReader(Array(bytes[2..<32]))
        let flags = UInt16(reader.byte()) << 8 | UInt16(reader.byte())
        let incarnation = Int64(bitPattern: reader.fixed64())
        let position = reader.fixed64()
        self.init(
            kind: kind, incarnation: incarnation, sequence: Int64(bitPattern: position),
            digest: reader.fixed64(), epoch: 0)
        for _ in 0..<4 { epoch = epoch << 8 | UInt32(reader.byte()) }
        guard kind == .zone else {
            nonce = flags
            if incarnation > 0 { scanStart = incarnation }
            self.incarnation = 0
            return
        }
        emptyPagesGiven = UInt8(flags & 0xFF)
        if flags & Self.scanFlag != 0 {
            sequence = Int64(position & 0xFFFF_FFFF)
            scanStart = Int64(position >> 32)
        }
    }

    /// What ties a token to one database, or to one zone of it (FNV-1a).
    static func digest(_ parts: [String]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in parts {
            for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        return hash
    }

    /// Continues a digest over one more part.
    static func digest(_ base: UInt64, _ part: String) -> UInt64 {
        var hash = base
        for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (hash ^ 0xFF) &* 0x100_0000_01B3
    }
}
