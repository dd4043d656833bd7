import CloudModel
import JSON
import MockService
import MockStore

extension MockUser {
    /// The keys of a user in requests and fixtures.
    static let keys =
        ["name"] + NameComponents.parts.map(\.name)
        + ["emailAddresses", "phoneNumbers", "discoverable"]

    /// Reads `{"name": "ada", "givenName": "Ada", "emailAddresses": ["ada@example.com"], …}`.
    init(_ body: JSONValue) throws(MockError) {
        guard let name = try body.name("name", of: "user") else {
            throw body.refusal("needs \"name\"")
        }
        self.init(name)
        var names = NameComponents()
        for (part, path) in NameComponents.parts { names[keyPath: path] = try body.text(part) }
        if !names.isEmpty { self.names = names }
        emailAddresses = try body.list("emailAddresses", of: "an e-mail address") {
            Handle.isAddress($0) ? $0 : nil
        }
        phoneNumbers = try body.list("phoneNumbers", of: "a telephone number") {
            Handle.isNumber($0) ? $0 : nil
        }
        isDiscoverable = try body.flag("discoverable")
    }

    /// The same as it is sent.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("name", name)
            for (part, path) in NameComponents.parts { writer.member(part, names?[keyPath: path]) }
            writer.member("emailAddresses", emailAddresses)
            writer.member("phoneNumbers", phoneNumbers)
            writer.member("discoverable", isDiscoverable)
        }
        return writer.bytes
    }
}
