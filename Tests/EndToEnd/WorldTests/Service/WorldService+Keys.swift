import CloudClient
import JSON
import OpenSSL

/// What an operator has of the service.
extension WorldService {
    /// A new server-to-server key that the service admits.
    func admitKey() throws -> Credential {
        let key = try P256.PrivateKey.generate()
        let pem = String(decoding: key.publicKey.pem, as: UTF8.self).replacing("\n", with: "\\n")
        let answer = try admin("POST", "keys", #"{"publicKey":"\#(pem)"}"#)
        guard let id = answer.root["keyID"]?.string else { throw WorldError("no key") }
        return .serverKey(id: id, key)
    }

    /// Loads a container's schema.
    func declare(_ schema: String, in container: String) throws {
        try admin("PUT", "schema?container=\(container)", schema)
    }
}
