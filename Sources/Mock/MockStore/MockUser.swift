import Basics
package import CloudModel

/// A person with an account of the mock service, as far as somebody says: what is nil is kept, or made
/// from the account's name.
package struct MockUser: Sendable, Hashable {
    /// The account's name, such as `ada`: letters, digits, `-`, `_`, `.` and `@`, at most 64.
    package let name: String
    package var names: NameComponents?
    package var emailAddresses: [String]?
    package var phoneNumbers: [String]?
    /// Whether other users find this one.
    package var isDiscoverable: Bool?

    /// Describes an account; it exists once it is given to ``MockStore/addUser(_:)``.
    package init(_ name: String, givenName: String? = nil, familyName: String? = nil) {
        self.name = name
        let names = NameComponents(givenName: givenName, familyName: familyName)
        if !names.isEmpty { self.names = names }
    }

    /// Whether `name` can be an account's name.
    package static func isValid(name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x40, 0x5F].contains(byte)
            }
    }

    /// Why there can be no such account; nil when there can.
    var problem: String? {
        Self.isValid(name: name)
            ? nil
            : "\"\(name)\" cannot be an account's name: 1 to 64 letters, digits, -, _, . and @"
    }
}

/// What the service knows of a person.
package struct UserProfile: Sendable, Hashable {
    package var names: NameComponents
    package var emailAddresses: [String]
    package var phoneNumbers: [String]
    /// Whether other users find this one.
    package var isDiscoverable: Bool

    /// Addresses, and numbers, of one user. Ours.
    static let handlesMax = 16
    /// Bytes of a part of a name. Ours.
    static let nameBytesMax = 255
    /// Bytes of an address (RFC 5321).
    static let addressBytesMax = 254

    /// What is made from an account's name: for `ada` Ada Example, `ada@example.com`, and a number of
    /// no country's.
    static func standard(for name: String) -> UserProfile {
        let word = name.prefix { ![".", "-", "_", "@"].contains($0) }
        let given = word.isEmpty ? name : String(word)
        let number = FeedToken.digest(["phone", name]) % 10_000_000
        let digits = String(number)
        return UserProfile(
            names: NameComponents(
                givenName: given.prefix(1).uppercased() + given.dropFirst(),
                familyName: "Example"),
            emailAddresses: [Handle.isAddress(name) ? name : name + "@example.com"].filter {
                Handle.isAddress($0)
            },
            phoneNumbers: ["+1555" + String(repeating: "0", count: 7 - digits.count) + digits],
            isDiscoverable: true)
    }

    mutating func apply(_ user: MockUser) {
        names = user.names ?? names
        emailAddresses = user.emailAddresses ?? emailAddresses
        phoneNumbers = user.phoneNumbers ?? phoneNumbers
        isDiscoverable = user.isDiscoverable ?? isDiscoverable
    }

    /// What the person can be found by.
    var handles: [Handle] {
        emailAddresses.map { .emailAddress($0) } + phoneNumbers.map { .phoneNumber($0) }
    }

    /// What is wrong with it, in a sentence; nil when nothing is.
    var problem: String? {
        if emailAddresses.count > Self.handlesMax || phoneNumbers.count > Self.handlesMax {
            return "a user has at most \(Self.handlesMax) addresses and \(Self.handlesMax) numbers"
        }
        if let wrong = emailAddresses.first(where: { !Handle.isAddress($0) }) {
            return "\"\(wrong)\" is not an e-mail address, such as ada@example.com"
        }
        if let wrong = phoneNumbers.first(where: { !Handle.isNumber($0) }) {
            return "\"\(wrong)\" is not a telephone number, such as +15550100"
        }
        let parts = NameComponents.parts
        if let part = parts.first(where: {
            (names[keyPath: $0.path]?.utf8.count ?? 0) > Self.nameBytesMax
        }) {
            return "\(part.name) is longer than \(Self.nameBytesMax) bytes"
        }
        return nil
    }
}

/// What a person is found by, so that those are equal that mean the same: addresses in any case,
/// numbers with any signs between their digits.
package enum Handle: Hashable {
    case email(String)
    case phone(String)

    static func emailAddress(_ text: String) -> Handle { .email(text.lowercased()) }
    static func phoneNumber(_ text: String) -> Handle {
        .phone(text.filter { $0.isASCII && $0.isNumber })
    }

    var text: String {
        switch self {
        case .email(let text), .phone(let text): text
        }
    }

    package static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && text.utf8.count <= UserProfile.addressBytesMax
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }

    /// Three to fifteen digits (E.164), with signs between them as people write them.
    package static func isNumber(_ text: String) -> Bool {
        text.utf8.count <= 40 && text.allSatisfy { "0123456789+-(). /".contains($0) }
            && (3...15).contains(phoneNumber(text).text.count)
    }
}

/// An account as the store keeps it.
package struct Account: Sendable, Hashable {
    package let name: String
    package let profile: UserProfile
    let created: Timestamp

    init(_ name: String, _ profile: UserProfile, created: Timestamp) {
        self.name = name
        self.profile = profile
        self.created = created
    }
}
