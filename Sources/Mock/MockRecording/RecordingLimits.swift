private import CloudWire

/// Bounds of recordings, all of them ours.
package enum RecordingLimits {
    /// Exchanges of one recording.
    package static let exchangesMax = 200_000
    /// Bytes of one recording.
    package static let fileBytesMax = 4 << 30
    /// Secrets that have stand-ins in one recording; each answer may bring a web token.
    package static let standInsMax = 500_000
    /// Bytes of a secret.
    package static let secretBytesMax = 8 << 10
    /// Bytes of an answer that is recorded: an asset, and some for what is around it.
    package static let answerBytesMax = assetBytesMax
    /// Bytes of a request that is recorded, unless it uploads an asset.
    static let requestBytesMax = WireLimits.requestBytesMax + (64 << 10)
    /// The same where it does.
    static let assetBytesMax = WireLimits.assetBytesMax + (1 << 20)
    /// Bytes of a body that stands as text in the line of its exchange; longer ones, and those that are
    /// no text, follow it in pieces.
    static let textBytesMax = 16 << 20
    /// Bytes of a piece.
    static let pieceBytesMax = 192 << 10
    /// Bytes of the line of a piece: its base64, and what is around it.
    static let pieceLineBytesMax = 260 << 10
    /// Bytes of any line: two texts, where each byte may take six.
    static let lineBytesMax = 200 << 20
    /// Requests under way at once.
    static let inFlightMax = 128
    /// Objects and arrays inside one another of a body whose strings are looked at.
    static let depthMax = 64
}
