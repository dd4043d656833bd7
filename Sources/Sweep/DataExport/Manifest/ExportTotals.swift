/// How much is in an export.
package struct ExportTotals: Sendable, Hashable {
    package var files = 0
    package var records = 0
    /// Of the records.
    package var shares = 0
    package var subscriptions = 0
    /// Files of assets; the same bytes are one file.
    package var assets = 0
    package var assetBytes: Int64 = 0
    package var donations = 0
    package init() {}
}
