/// Is asked about items whose time is over, before they are removed (D13).
package protocol ItemRenewer: AnyObject, Sendable {
    /// Offers the items with these identifiers again, with a later date, where they still exist.
    ///
    /// - Returns: When all that is to be renewed has been indexed.
    func renew(identifiers: [String], indexName: String?) async
    /// Offers every item of the index again: a sync could not tell which of them other devices had
    /// deleted, and removed all. What is known to be deleted everywhere is not taken.
    ///
    /// - Returns: Whether it was done; if not, it is asked again.
    func renewAll(indexName: String?) async -> Bool
}
