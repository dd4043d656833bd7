package import CloudModel

/// One thing that two exports do not have in common.
package enum ExportDifference: Sendable, Hashable {
    /// What became of it from the older to the newer one.
    package enum Change: String, Sendable, CaseIterable {
        case added
        case removed
        case changed
    }

    /// A record or subscription.
    ///
    /// - Parameters:
    ///   - zone: Empty where there is none.
    ///   - fields: Whose values differ, sorted; empty for what was not changed, and where only facts
    ///     beside the fields differ.
    case item(
        Change, Container.ID, Database.Scope, zone: String, name: String, fields: [String])
    /// The bytes of an asset, by their SHA-256: files are added or removed, never changed.
    case asset(Change, sha256: String, bytes: Int64)
    /// The local donations are not the same.
    case donations(Change)

    package var change: Change {
        switch self {
        case .item(let change, _, _, _, _, _), .asset(let change, _, _), .donations(let change):
            change
        }
    }
}
