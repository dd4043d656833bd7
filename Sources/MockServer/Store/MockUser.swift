import CloudModel

/// A person with an account of the mock service.
package struct MockUser: Sendable, Hashable {
    /// The account's name, such as `ada`: letters, digits, `-`, `_`, `.` and `@`, at most 64.
    package let name: String
    package var givenName: String?
    package var familyName: String?

    /// Describes an account; it exists once it is given to ``MockStore/addUser(_:)``.
    package init(_ name: String, givenName: String? = nil, familyName: String? = nil) {
        self.name = name
        self.givenName = givenName
        self.familyName = familyName
    }

    /// Whether `name` can be an account's name.
    package static func isValid(name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x40, 0x5F].contains(byte)
            }
    }
}

/// An account as the store keeps it.
struct Account {
    let user: MockUser
    let created: Timestamp
}
