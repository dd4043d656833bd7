/// What is not to be written down, which decides how its stand-in looks.
package enum SecretKind: String, Sendable, CaseIterable {
    /// A token, a key's ID, a cookie, a device: whoever has it may do something, or is known by it.
    case token
    /// A user record name, which zones' owners are named by too.
    case account
    case email
    case phone
    /// A part of a person's name.
    case person
    /// A record's name, where those are to be replaced too.
    case record
}
