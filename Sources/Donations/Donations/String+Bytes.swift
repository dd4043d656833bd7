extension String {
    /// Whether both are the same bytes. Swift's `==` takes two spellings of "é" for one, the
    /// names of donations are compared as Apple's strings are: literally.
    package func isSame(as other: String?) -> Bool {
        guard let other, utf8.count == other.utf8.count else { return false }
        return utf8.elementsEqual(other.utf8)
    }

    /// Whether this domain is `domain` or lies below it. By part: "ab" is not below "a".
    package func isDomain(inside domain: String) -> Bool {
        guard !domain.isEmpty, utf8.starts(with: domain.utf8) else { return false }
        if utf8.count == domain.utf8.count { return true }
        return utf8[utf8.index(utf8.startIndex, offsetBy: domain.utf8.count)] == 0x2E
    }

    /// The string, or nil when it is empty: an empty name is no name.
    package var orNil: String? { isEmpty ? nil : self }
}
