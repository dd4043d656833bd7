package import CloudModel
private import JSON

/// A command as it goes over HTTP: without host and credentials.
package struct WireRequest: Sendable, Hashable {
    package let method: String
    /// Begins with `/database/1/`; nothing in it needs escaping.
    package let path: String
    /// Empty with GET.
    package let body: [UInt8]

    /// Spells `command` for the database at `address`.
    package init(_ command: CloudCommand, at address: Database.Address) {
        preconditionFailure("not yet")
    }
}
