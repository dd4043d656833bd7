/// A file that cannot be used.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    package let path: String
    package let reason: String

    package init(_ path: String, _ reason: String, _ code: Int32 = 0) {
        self.path = path
        self.reason = code == 0 ? reason : "\(reason): \(SystemErrors.text(code))"
    }

    package var description: String { "\(path) \(reason)" }
}
