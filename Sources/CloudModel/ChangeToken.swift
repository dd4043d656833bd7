/// An opaque position in a change feed. Mirrors `CKServerChangeToken`.
///
/// An absent token means "from the beginning"; the **empty** token means "caught up". Compare
/// tokens for equality only.
package struct ChangeToken: Sendable, Hashable {
    /// Base64 text as the service sent it.
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}
