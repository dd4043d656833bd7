/// Why the mock service's storage failed.
package struct MockStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: String, Sendable, CaseIterable {
        /// The folder or file cannot be opened.
        case cannotOpen
        /// Another process has the store open.
        case inUse
        /// The file is damaged or is no store.
        case corrupt
        /// The store was written by a newer version.
        case newerFormat
        /// There is no room left on the disk.
        case diskFull
        /// A snapshot is being restored; the same call can succeed later.
        case busy
        /// There are as many of something as there may be.
        case limit
        /// What was sent cannot be read.
        case malformed
        /// What was asked for cannot be.
        case refused
        /// Anything else SQLite says.
        case failed
    }

    package let code: Code
    package let description: String

    /// Makes an error with words for people.
    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
