/// A file that cannot be used.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    package let path: String
    package let reason: String
    /// The system's number; 0: it has nothing to do with it.
    package let code: Int32

    package init(_ path: String, _ reason: String, _ code: Int32 = 0) {
        self.path = path
        self.code = code
        self.reason = code == 0 ? reason : "\(reason): \(SystemErrors.text(code))"
    }

    package var description: String { "\(path) \(reason)" }
}
