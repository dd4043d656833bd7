/// Shows that an export was written, whole or not: only what has written the manifest makes one.
package struct ExportReceipt: Sendable, Hashable {
    /// SHA-256 over the manifest in hexadecimal, which names every other file by its own.
    package let manifestDigest: String
    /// Whether all that was in scope could be read and is in the folder.
    package let isComplete: Bool
    package let totals: ExportTotals
}
