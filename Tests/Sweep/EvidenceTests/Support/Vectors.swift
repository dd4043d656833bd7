import Basics
import Evidence
import OpenSSL

/// Values that other programs made: OpenSSL 3.0.19, securesystemslib 1.6.0 and rfc8785 0.1.4.
enum Vectors {
    static func key() throws -> SigningKey {
        SigningKey(try Ed25519.PrivateKey(seed: Array(0..<32)))
    }

    /// Another one, that nobody trusts.
    static func strangeKey() throws -> SigningKey {
        SigningKey(try Ed25519.PrivateKey(seed: Array(32..<64)))
    }

    static let publicKey = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
    static let keyID = "63d00ee3cf4f5c61ad94efa696c68f13b608fe56ecea13fb144a6fd18e9235b9"
    static let payload = """
        {"_type":"https://in-toto.io/Statement/v1","predicate":{"verdict":"complete"},\
        "predicateType":"https://cksweep.dev/attestation/erasure/v1",\
        "subject":[{"digest":{"sha256":\
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},"name":"run"}]}
        """
    static let payloadHash = "01397b0265af9e1e8f7fc787f933b3940d5993d53794bc193bd6b11bedd6f707"
    static let messageHash = "c4ef3a139daaac17c5f656f16338e3ba1abd93e106ed1efd5ff6b4ff6a97a4c3"
    static let signature =
        "e7e735c8016ec48bf8a09c5d24d0802adbce1f17ce007773358d7363ba4414df"
        + "24874bd6a97696866a29f24663770769a8a74baa7f1969e5793d53ee39394a0c"
    static let treeRoot = "64b249c4e0606e3d9742c49bfd57cd1e3eb170f5ccefa26ea045ca193d64a75f"
    static let verifierKey =
        "cksweep.test/log+4631b351+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
    static let checkpoint = """
        cksweep.test/log
        3
        ZLJJxOBgbj2XQsSb/VfNHj6xcPXM76JuoEXKGT1kp18=

        — cksweep.test/log RjGzUQ2xXifA08SAUZmPqdbnWCytRfDvdJerD0QPwg9oEZ/Osb23S1L3m2Mz53QmHVnIp\
        QYbPAwbgGOdv8q0NJ9WiAA=

        """
    /// HMAC-SHA256 under the key 00…1f, by Python's `hmac`.
    static let pseudonym = "fff2dd3d25faaf2105a648c66a6046e0"
}

func hex(_ bytes: [UInt8]) -> String { Hexadecimal.encode(bytes) }
func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }
