import Basics
package import CloudModel
import OpenSSL

/// Names people and zones so that only who holds the key can tell which they are.
package struct Pseudonyms: Sendable {
    private let key: [UInt8]
    package init(key: [UInt8]) { self.key = key }

    /// The user in one container and environment.
    package func user(
        _ userRecordName: String, in container: Container.ID, _ environment: Container.Environment
    ) -> String {
        digest("user\n\(environment.rawValue)\n\(container.rawValue)\n\(userRecordName)")
    }

    /// A zone of one container.
    package func zone(
        _ name: String, in container: Container.ID, _ environment: Container.Environment
    ) -> String {
        digest("zone\n\(environment.rawValue)\n\(container.rawValue)\n\(name)")
    }

    /// Any bytes, such as a plan's line.
    package func digest(of bytes: [UInt8]) -> String {
        Hexadecimal.encode(Array(HMACSHA256.authenticate(bytes, key: key).prefix(16)))
    }

    private func digest(_ text: String) -> String { digest(of: Array(text.utf8)) }
}
