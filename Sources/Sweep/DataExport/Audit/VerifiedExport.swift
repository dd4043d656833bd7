package import Basics

/// An export that was read again, all of which is as its manifest says: only ``ExportCheck`` makes
/// one.
package struct VerifiedExport: Sendable, Hashable {
    package let subject: ExportSubject
    /// SHA-256 over the manifest in hexadecimal, which names every other file by its own.
    package let manifestDigest: String
    /// Whether all that was in scope is in it.
    package let isComplete: Bool
    package let began: Timestamp
    package let ended: Timestamp
    package let totals: ExportTotals
    package let rows: [ExportRow]
    /// The envelope with signatures over the manifest, unread; nil: nobody has signed it.
    package let signature: [UInt8]?
}
