/// Why a recording cannot be made, read or served.
package struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Sendable, Hashable {
        /// The server's certificate cannot be made.
        case certificate
        /// The server cannot listen.
        case address
        /// The file cannot be read or written.
        case file
        /// The file is no recording, or a newer version's.
        case format
        /// A bound is reached: of exchanges, bytes or stand-ins.
        case full
    }

    package let code: Code
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { reason }
}
