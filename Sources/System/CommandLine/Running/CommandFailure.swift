package import Basics
package import FileSystem

/// Why a verb ends early: what to say, and the status to exit with.
package struct CommandFailure: Error, Sendable, Hashable {
    package let status: ExitStatus
    package let message: String
    /// What to do about it.
    package let remedy: String?

    package init(_ status: ExitStatus, _ message: String, remedy: String? = nil) {
        self.status = status
        self.message = message
        self.remedy = remedy
    }

    package init(_ error: UsageError) {
        self.init(.usage, error.message, remedy: error.remedy)
    }
    package init(_ error: FileError) { self.init(.usage, error.description) }
}
