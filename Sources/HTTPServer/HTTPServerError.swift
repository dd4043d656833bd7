/// Why a server cannot listen.
package struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Sendable, Hashable {
        /// Another program listens on the port.
        case portInUse
        /// The system forbids the port to this user.
        case portForbidden
        /// An address is not numeric, or not of this machine.
        case addressUnusable
        /// The system refused for another reason.
        case system
    }

    package let code: Code
    /// The port asked for.
    package let port: UInt16
    package let reason: String

    package var description: String { reason }
}
