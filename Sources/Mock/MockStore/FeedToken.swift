import Basics
package import CloudModel

/// A position in a zone's or a database's feed: 36 bytes, 48 characters of base64.
package struct FeedToken: Hashable {
    package enum Kind: UInt8 {
        case zone = 1
        case database = 2
    }
    static let version: UInt8 = 1
    private static let scanFlag: UInt16 = 0x100
    private static let reverseFlag: UInt16 = 0x200

    package var kind: Kind
    /// A number without meaning, for tokens whose text differs each time; databases only.
    var nonce: UInt16 = 0
    package var incarnation: Int64 = 0
    /// Everything up to here has been delivered.
    package var sequence: Int64
    /// During a scan that leaves out earlier deletions, or begins where some were forgotten:
    /// where the feed ended when it began.
    package var scanStart: Int64?
    /// During a scan that begins with the newest: everything from ``sequence`` to ``scanStart`` has been
    /// delivered, and what is older follows.
    package var isReverse = false
    /// Of account, container, environment, database and zone.
    var digest: UInt64
    package var epoch: UInt32

    var text: String {
        var flags = nonce
        var position = UInt64(bitPattern: sequence)
        if kind == .zone, let scanStart, scanStart <= UInt32.max, sequence <= UInt32.max {
            flags |= Self.scanFlag | (isReverse ? Self.reverseFlag : 0)
            position |= UInt64(bitPattern: scanStart) << 32
        }
        // A database has no incarnation.
        let second = kind == .zone ? incarnation : scanStart ?? 0
        var layout = Layout(
            kind: kind.rawValue, flags: flags, second: UInt64(bitPattern: second),
            position: position, digest: digest, epoch: epoch)
        var coder = RowCoder(reserving: Layout.bytes + 4)
        layout.code(&coder)
        var checksum = Self.checksum(coder.bytes)
        coder.fixed(&checksum)
        return Base64.encode(coder.bytes)
    }

    /// What stands before the checksum.
    private struct Layout {
        static let bytes = 32

        var version = FeedToken.version
        var kind: UInt8 = 0
        var flags: UInt16 = 0
        var second: UInt64 = 0
        var position: UInt64 = 0
        var digest: UInt64 = 0
        var epoch: UInt32 = 0

        mutating func code(_ coder: inout RowCoder) {
            coder.byte(&version)
            coder.byte(&kind)
            coder.fixed(&flags)
            coder.fixed(&second)
            coder.fixed(&position)
            coder.fixed(&digest)
            coder.fixed(&epoch)
        }
    }

    var changeToken: ChangeToken { ChangeToken(text) }

    package init(kind: Kind, incarnation: Int64 = 0, sequence: Int64, digest: UInt64, epoch: UInt32)
    {
        self.kind = kind
        self.incarnation = incarnation
        self.sequence = sequence
        self.digest = digest
        self.epoch = epoch
    }

    /// Reads a token of one kind.
    ///
    /// - Throws: BAD_REQUEST for any other text.
    package init(_ text: String, kind: Kind) throws(CloudError) {
        // A token cut anywhere is told from one that never was: whole groups are looked at.
        let whole = text.utf8.count / 4 * 4
        guard let bytes = Base64.decode(String(decoding: text.utf8.prefix(whole), as: UTF8.self)),
            bytes.count >= 2,
            bytes[0] == Self.version, bytes[1] == kind.rawValue
        else { throw CloudError(.badRequest, reason: "Unknown sync continuation type", rule: 74) }
        let invalid = CloudError(.badRequest, reason: "Invalid continuation format", rule: 75)
        guard bytes.count == Layout.bytes + 4, whole == text.utf8.count else { throw invalid }
        var coder = RowCoder(reading: bytes)
        var (layout, checksum) = (Layout(), UInt32(0))
        layout.code(&coder)
        coder.fixed(&checksum)
        guard Self.checksum(Array(bytes[..<Layout.bytes])) == checksum else { throw invalid }
        self.init(
            kind: kind, sequence: Int64(bitPattern: layout.position), digest: layout.digest,
            epoch: layout.epoch)
        let second = Int64(bitPattern: layout.second)
        guard kind == .zone else {
            nonce = layout.flags
            if second > 0 { scanStart = second }
            return
        }
        incarnation = second
        if layout.flags & Self.scanFlag != 0 {
            sequence = Int64(layout.position & 0xFFFF_FFFF)
            scanStart = Int64(layout.position >> 32)
            isReverse = layout.flags & Self.reverseFlag != 0
        }
    }

    /// What ties a token to one database, or by a part more to one zone of it.
    static func digest(_ parts: [String], from base: UInt64 = FNV1a().value) -> UInt64 {
        var hash = FNV1a(from: base)
        for part in parts { hash.add(part: part) }
        return hash.value
    }

    /// Tells a token that was changed on its way from one of ours; keeps nobody from making one.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var hash = FNV1a()
        hash.add(bytes)
        return UInt32(truncatingIfNeeded: hash.value ^ hash.value >> 32)
    }
}
