/// One CloudKit container: the unit an app's data is kept in. Mirrors `CKContainer`.
package struct Container: Sendable, Hashable {
    /// The container's identifier, such as `iCloud.com.example.app`.
    package struct ID: Sendable, Hashable, Comparable, CustomStringConvertible {
        /// The identifier as the service spells it.
        package let rawValue: String

        /// Makes an identifier, or nil when `problem(in:)` finds one.
        package init?(_ text: String) {
            guard Self.problem(in: text) == nil else { return nil }
            rawValue = text
        }

        /// Says what is wrong with an identifier, or nil when it is well formed.
        ///
        /// At most 255 bytes: a prefix (`iCloud.` for apps), then letters, digits, `-` and `.`.
        package static func problem(in text: String) -> String? {
            if text.isEmpty { return "is empty" }
            if text.utf8.count > 255 { return "is longer than 255 characters" }
            guard text.hasPrefix("iCloud.") || text.hasPrefix("com.apple.") else {
                return "must begin with \"iCloud.\""
            }
            let allowed = text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x2E
            }
            guard allowed else { return "may hold only letters, digits, \"-\" and \".\"" }
            // The prefix ends with a dot and begins with a letter: only what follows can be empty.
            var before: UInt8 = 0
            let hasEmptyPart = text.utf8.contains { byte in
                defer { before = byte }
                return byte == 0x2E && before == 0x2E
            }
            guard !hasEmptyPart, text.utf8.last != 0x2E else {
                return "has an empty part between its dots"
            }
            return nil
        }

        package var description: String { rawValue }
        package static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
    }

    /// Which of a container's two separate worlds: schema and data are kept apart.
    package enum Environment: String, Sendable, CaseIterable {
        case development
        case production
    }
}
