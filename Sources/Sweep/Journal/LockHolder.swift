package import Basics

/// Who holds the lock on one user's data in one container.
package struct LockHolder: Sendable, Hashable {
    package let run: String
    package let process: ProcessIdentity
    package let since: Timestamp

    package init(run: String, process: ProcessIdentity, since: Timestamp) {
        self.run = run
        self.process = process
        self.since = since
    }

    /// `run 20261120-… of process 4242 on host since 2026-…`
    package var description: String {
        "run \(run) of process \(process.pid) on \(process.host) since \(since.iso8601)"
    }
}
