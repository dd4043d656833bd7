/// Is asked about items whose time is over, before they are removed (D13).
package protocol ItemRenewer: AnyObject, Sendable {
    /// Offers the items with these identifiers again, with a later date, where they still exist.
    ///
    /// - Returns: When all that is to be renewed has been indexed.
    func renew(identifiers: [String], indexName: String?) async
}
