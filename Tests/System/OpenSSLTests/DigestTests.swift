import OpenSSL
import Testing

struct DigestTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }

    /// FIPS 180-2, appendix B, and the empty message.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `SHA-256 gives the published digests, at once and in pieces`(
        message: String, digest: String
    ) {
        let bytes = Array(message.utf8)
        #expect(hex(SHA256.hash(bytes)) == digest)
        var pieces = SHA256()
        for byte in bytes { pieces.update([byte]) }
        let result = pieces.finish()
        #expect(hex(result) == digest)
    }

    @Test func `HMAC gives the tag of RFC 4231 case 2`() {
        let tag = HMACSHA256.authenticate(
            Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        #expect(hex(tag) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test func `HMAC takes an empty key and an empty message`() {
        let tag = HMACSHA256.authenticate([], key: [])
        #expect(hex(tag) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test func `random bytes come in the number asked for and differ`() {
        #expect(SecureRandom.bytes(0) == [])
        #expect(SecureRandom.bytes(32).count == 32)
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
    }

    @Test func `secrets are compared by content and length`() {
        #expect(equalInConstantTime([1, 2, 3], [1, 2, 3]))
        #expect(!equalInConstantTime([1, 2, 3], [1, 2, 4]))
        #expect(!equalInConstantTime([1, 2, 3], [1, 2]))
        #expect(equalInConstantTime([], []))
    }
}
