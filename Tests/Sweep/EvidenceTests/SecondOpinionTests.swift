import Evidence
import Foundation
import OpenSSL
import RepositoryRoot
import Testing
import ToolRunner

/// Programs that know nothing of ours read what we sign.
struct SecondOpinionTests {
    /// Made by `scripts/test`.
    private static let python = Repository.url(".build/evidence-tools/bin/python3").path

    private static let reader = """
        import json, sys
        from cryptography.hazmat.primitives.serialization import load_pem_public_key
        from securesystemslib.dsse import Envelope
        from securesystemslib.signer import SSlibKey
        key = SSlibKey.from_crypto(load_pem_public_key(open(sys.argv[2], "rb").read()))
        envelope = Envelope.from_dict(json.load(open(sys.argv[1])))
        print(key.keyid, list(envelope.verify([key], 1)) == [key.keyid])
        sys.stdout.flush()
        sys.stdout.buffer.write(envelope.payload)
        """

    private func files(_ scratch: Scratch) throws -> (envelope: String, key: String) {
        let key = try Vectors.key()
        let envelope = try SampleCase().statement().signed(by: [key])
        return (
            try scratch.write(envelope.bytes, to: "E.json"),
            try scratch.write(key.verifying.key.pem, to: "pub.pem")
        )
    }

    @Test func `securesystemslib verifies the file with nothing but the key`() throws {
        let scratch = try Scratch()
        let (envelope, key) = try files(scratch)
        let ended = try Tool.run(
            Self.python, ["-B", "-c", Self.reader, envelope, key], errors: .kept)
        #expect(ended.status == 0, "\(ended.errors); scripts/test makes its environment")
        let statement = String(decoding: try SampleCase().statement().bytes, as: UTF8.self)
        #expect(ended.text == "\(Vectors.keyID) True\n" + statement)
        var changed = try scratch.read("E.json")
        changed[60] = changed[60] == 0x41 ? 0x42 : 0x41
        let forged = try scratch.write(changed, to: "F.json")
        #expect(try Tool.run(Self.python, ["-B", "-c", Self.reader, forged, key]).status != 0)
    }

    @Test func `openssl verifies the same file`() throws {
        let scratch = try Scratch()
        let (envelope, key) = try files(scratch)
        let object = try #require(
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: URL(fileURLWithPath: envelope))) as? [String: Any])
        let text = try #require(object["payload"] as? String)
        let payload = try #require(Data(base64Encoded: text))
        let list = try #require(object["signatures"] as? [[String: String]])
        let encoded = try #require(list[0]["sig"])
        let signature = try #require(Data(base64Encoded: encoded))
        let message = Envelope.message(Envelope.statementType, Array(payload))
        let arguments = [
            "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", key, "-sigfile",
            try scratch.write(Array(signature), to: "sig"), "-in",
        ]
        let good = try Tool.run(
            "/usr/bin/openssl", arguments + [try scratch.write(message, to: "pae")])
        #expect(good.status == 0 && good.text.contains("Signature Verified Successfully"))
        let bad = try scratch.write(message.dropLast() + [0x7C], to: "bad")
        #expect(try Tool.run("/usr/bin/openssl", arguments + [bad]).status != 0)
    }

    @Test func `openssl makes keys that we sign with, and reads ours`() throws {
        let made = try Tool.run("/usr/bin/openssl", ["genpkey", "-algorithm", "ed25519"])
        let key = try Ed25519.PrivateKey(pem: made.output)
        let published = try Tool.run(
            "/usr/bin/openssl", ["pkey", "-pubout"], input: key.pem)
        #expect(published.output == key.publicKey.pem)
        let other = try P256.PrivateKey.generate()
        let error = #expect(throws: OpenSSLError.self) { try Ed25519.PrivateKey(pem: other.pem) }
        #expect(error?.code == .keyNotEd25519)
        #expect(
            #expect(throws: OpenSSLError.self) {
                try Ed25519.PublicKey(pem: other.publicKey.pem)
            }?.code == .keyNotEd25519)
        #expect(throws: OpenSSLError.self) { try Ed25519.PrivateKey(seed: [1, 2, 3]) }
    }
}
