import OpenSSL
import Testing

struct P256Tests {
    /// The vector of the notes on server-to-server signing: a public key and two signatures made
    /// elsewhere over the same message.
    private let spki = """
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1QeBUCrHU2deJsvbLsxZWGFZ08OQ
        LhA3b1kJvbpnAA/2/jNMBGgJtqTwEbCeKsBS+m3JYNhkcplF2tdaXLXooQ==
        """
    private let message = Array(
        ("2026-01-15T08:30:00Z:7vOa9sC0M05OOi7pTBhGBef+S3BLscLcb9NE9Ng+pq4=:"
            + "/database/1/iCloud.com.example.notes/development/public/records/query").utf8)

    private func decoded(_ base64: String) -> [UInt8] {
        var bits: UInt32 = 0
        var held = 0
        var bytes: [UInt8] = []
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        for character in base64.utf8 {
            guard let value = alphabet.firstIndex(of: character) else { continue }
            bits = bits << 6 | UInt32(value)
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(bits >> UInt32(held) & 255))
            }
        }
        return bytes
    }

    @Test(arguments: [
        "MEQCIGzbRpXYL+MvjGRvxXgsOYyYEPj7Zq19fa4qYG6YWFG+AiBx7+jvnVBUJ33Pzi4MRwujeVMt6XxXfv0yBxPOUiykAw==",
        "MEUCIQD1r6l4EAvrmNA1cP3eOyKypfNzOLP5+W+MPnwL62vMXQIgMKELojBo1sJ66uwxM1bpSr5U8g6vx3gAcdHmUK2lcbg=",
    ])
    func `signatures made elsewhere verify, and only over their message`(signature: String) throws {
        let key = try P256.PublicKey(base64: spki)
        #expect(key.verify(decoded(signature), of: message))
        #expect(!key.verify(decoded(signature), of: message + [0x20]))
        var broken = decoded(signature)
        broken[20] ^= 1
        #expect(!key.verify(broken, of: message))
        #expect(!key.verify([], of: message))
        #expect(!key.verify(decoded(signature) + [0], of: message))
    }

    @Test func `the body hash of the vector is ours`() {
        let body = #"{"zoneID":{"zoneName":"_defaultZone"},"query":{"recordType":"Note"}}"#
        let hash = SHA256.hash(Array(body.utf8))
        #expect(hash == decoded("7vOa9sC0M05OOi7pTBhGBef+S3BLscLcb9NE9Ng+pq4="))
    }

    @Test func `what a key signs its public half verifies, also after a trip through PEM`() throws {
        let key = try P256.PrivateKey.generate()
        let again = try P256.PrivateKey(pem: key.pem)
        let publicKey = try P256.PublicKey(pem: key.publicKey.pem)
        let signature = try again.sign(message)
        #expect(publicKey.verify(signature, of: message))
        #expect(again.publicKey.verify(signature, of: message))
        #expect(!(try P256.PrivateKey.generate().publicKey.verify(signature, of: message)))
    }

    @Test func `the key form of the service's own instructions is read`() throws {
        let text = try OpenSSLTool.run(["ecparam", "-name", "prime256v1", "-genkey", "-noout"])
        let key = try P256.PrivateKey(pem: text)
        #expect(key.publicKey.verify(try key.sign([1, 2, 3]), of: [1, 2, 3]))
    }

    @Test(arguments: [
        (["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"], true),
        (["genpkey", "-algorithm", "ED25519"], true),
        (
            [
                "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-aes256",
                "-pass", "pass:secret",
            ], false
        ),
    ])
    func `other curves and locked keys are refused without a question`(
        arguments: [String], isReadable: Bool
    ) throws {
        let text = try OpenSSLTool.run(arguments)
        let error = #expect(throws: OpenSSLError.self) { try P256.PrivateKey(pem: text) }
        #expect(error?.code == (isReadable ? .keyNotP256 : .keyUnreadable))
    }

    @Test(arguments: [
        "", "hello", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    ])
    func `what is no key is refused`(text: String) {
        let pem = Array(text.utf8)
        #expect(throws: OpenSSLError.self) { try P256.PrivateKey(pem: pem) }
        #expect(throws: OpenSSLError.self) { try P256.PublicKey(pem: pem) }
        #expect(throws: OpenSSLError.self) { try P256.PublicKey(base64: text) }
    }
}
