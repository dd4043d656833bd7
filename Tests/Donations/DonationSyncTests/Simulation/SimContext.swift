import DonationSync

/// Reads contexts as they are stored in records.
enum SimContext {
    static func read(_ bytes: [UInt8]) -> DeletionContext? { DeletionContext(decoding: bytes) }
}
