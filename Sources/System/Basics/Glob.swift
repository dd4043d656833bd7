/// A name with `*` (any run of characters) and `?` (any one character).
package struct Glob: Sendable, Hashable, CustomStringConvertible {
    package let pattern: String

    /// Every pattern is valid; one without `*` and `?` matches itself only.
    package init(_ pattern: String) { self.pattern = pattern }

    package var description: String { pattern }

    /// Whether it matches itself only.
    package var isPlain: Bool { !pattern.contains { $0 == "*" || $0 == "?" } }

    /// Whether the whole of `text` matches. The time is at most proportional to the product of the lengths.
    package func matches(_ text: String) -> Bool {
        let pattern = Array(pattern.utf8)
        let text = Array(text.utf8)
        var at = 0
        var position = 0
        var star: Int?
        var restart = 0
        while position < text.count {
            if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
                star = at
                restart = position
                at += 1
            } else if at < pattern.count,
                pattern[at] == UInt8(ascii: "?") || pattern[at] == text[position]
            {
                at += 1
                position += 1
            } else if let star {
                at = star + 1
                restart += 1
                position = restart
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
