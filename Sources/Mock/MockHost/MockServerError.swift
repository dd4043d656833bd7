/// Why a mock server could not start.
package struct MockServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of trouble it is.
    package enum Code: Sendable, Hashable {
        /// The configuration cannot be right, whatever the machine.
        case configuration
        /// Another program has the port.
        case portInUse
        /// The port may not be used, or the address is not this machine's.
        case address
        /// A certificate or key cannot be read, made or used.
        case certificate
        /// The store or a file cannot be read or written.
        case storage
        /// A fixture or fault is malformed.
        case input
    }

    package let code: Code
    /// One sentence for people; holds no secret.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { reason }
}
