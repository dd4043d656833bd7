private import Glibc

/// The system's words for its error numbers.
package enum SystemErrors {
    package static func text(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
