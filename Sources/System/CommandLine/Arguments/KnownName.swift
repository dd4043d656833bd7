/// What this machine may know the names of, so that a shell can complete them.
package enum KnownName: Sendable, Hashable {
    /// Of the state folder's journals.
    case run
    /// Of container lists.
    case container
    /// Of lists, fixtures and fences.
    case zone
    /// Of a mock server and of fixtures.
    case user
    /// A file that the mock server loads.
    case fixture
}
