/// Is asked about items whose time is over, before they are removed (D13).
package protocol ItemRenewer: AnyObject, Sendable {
    /// Offers the items with these identifiers again, with a later date, where they still exist.
    ///
    /// - Returns: When all that is to be renewed has been indexed.
    func renew(identifiers: [String], indexName: String?) async
    /// Offers every item of the index again, and deletes those that are not offered: a sync could
    /// not tell which of them other devices had deleted. What is known to be deleted everywhere is
    /// not taken.
    ///
    /// - Returns: Whether it was done; if not, or if it throws, it is asked again.
    func renewAll(indexName: String?) async throws -> Bool
}
