import Basics
import Evidence
import Foundation
import OpenSSL
import Testing

struct EnvelopeTests {
    private func code(_ body: () throws -> Void) -> EvidenceError.Code? {
        #expect(throws: EvidenceError.self, performing: body)?.code
    }

    private func envelope() throws -> Envelope {
        try Envelope(signing: utf8(Vectors.payload), by: [Vectors.key()])
    }

    private func json(_ edit: (inout [String: Any]) -> Void) throws -> [UInt8] {
        var object = try #require(
            try JSONSerialization.jsonObject(with: Data(try envelope().bytes)) as? [String: Any])
        edit(&object)
        return Array(try JSONSerialization.data(withJSONObject: object))
    }

    // MARK: Vectors

    @Test func `keys, messages and signatures are those of other programs`() throws {
        let key = try Vectors.key()
        #expect(hex(key.verifying.key.bytes) == Vectors.publicKey)
        #expect(key.verifying.id == Vectors.keyID)
        let payload = utf8(Vectors.payload)
        #expect(payload.count == 253 && hex(SHA256.hash(payload)) == Vectors.payloadHash)
        let message = Envelope.message(Envelope.statementType, payload)
        #expect(message.count == 296 && hex(SHA256.hash(message)) == Vectors.messageHash)
        #expect(hex(try key.sign(message)) == Vectors.signature)
        #expect(try envelope().signatures.map { hex($0.bytes) } == [Vectors.signature])
    }

    @Test func `the message of the specification's example is ours`() {
        #expect(
            Envelope.message("http://example.com/HelloWorld", utf8("hello world"))
                == utf8("DSSEv1 29 http://example.com/HelloWorld 11 hello world"))
    }

    @Test func `lengths are counted in bytes, so no body can pass for another`() {
        #expect(Envelope.message("é", utf8("ü")) == utf8("DSSEv1 2 é 2 ü"))
        #expect(
            Envelope.message("a", utf8("DSSEv1 1 b 0 "))
                == utf8("DSSEv1 1 a 13 DSSEv1 1 b 0 "))
    }

    // MARK: Reading

    @Test func `an envelope reads back, its unknown members ignored`() throws {
        let bytes = try json { $0["more"] = ["of": "it"] }
        let verified = try Envelope(bytes).verified(by: [Vectors.key().verifying])
        #expect(verified.payload == utf8(Vectors.payload))
        #expect(verified.keys.map(\.id) == [Vectors.keyID])
    }

    @Test func `base64 for addresses is taken, anything else than base64 is not`() throws {
        let standard = Base64.encode(utf8(Vectors.payload))
        func payload(_ text: String) throws -> [UInt8] { try json { $0["payload"] = text } }
        let forAddresses = standard.replacing("+", with: "-").replacing("/", with: "_")
        #expect(throws: Never.self) { try Envelope(payload(forAddresses)) }
        for wrong in [
            " " + standard, standard + "\n", standard.dropLast() + "", "A-+=", "AB==", "A",
        ] {
            #expect(
                code { _ = try Envelope(payload(String(wrong))) } == .base64, "\(wrong.suffix(5))")
        }
    }

    @Test func `what is no envelope is said to be none`() throws {
        for member in ["payload", "payloadType", "signatures"] {
            let bytes = try json { $0[member] = nil }
            #expect(code { _ = try Envelope(bytes) } == .notAnEnvelope)
        }
        let unsigned = try json { $0["signatures"] = [Any]() }
        #expect(code { _ = try Envelope(unsigned) } == .unsigned)
        let one = ["keyid": "", "sig": Base64.encode([UInt8](repeating: 0, count: 64))]
        let many = try json { $0["signatures"] = Array(repeating: one, count: 17) }
        #expect(code { _ = try Envelope(many) } == .tooManySignatures)
        let twice = utf8(#"{"payload":"","payload":"","payloadType":"","signatures":[]}"#)
        #expect(code { _ = try Envelope(twice) } == .malformed)
    }

    // MARK: Signatures

    @Test func `a changed byte, another spacing, another kind: the signature does not hold`() throws
    {
        let key = try Vectors.key().verifying
        let changed = utf8(Vectors.payload.replacing("complete", with: "partial!"))
        let spaced = utf8(Vectors.payload.replacing(":", with: ": "))
        for payload in [changed, spaced] {
            let bytes = try json { $0["payload"] = Base64.encode(payload) }
            #expect(code { _ = try Envelope(bytes).verified(by: [key]) } == .signature)
        }
        let near = try json { $0["payloadType"] = "application/vnd.in-toto+JSON" }
        #expect(code { _ = try Envelope(near).verified(by: [key]) } == .signature)
    }

    @Test func `a signature over the payload alone does not hold`() throws {
        let key = try Vectors.key()
        let bare = Base64.encode(try key.sign(utf8(Vectors.payload)))
        let bytes = try json { $0["signatures"] = [["keyid": Vectors.keyID, "sig": bare]] }
        #expect(code { _ = try Envelope(bytes).verified(by: [key.verifying]) } == .signature)
    }

    @Test func `another kind of payload is refused although its signature holds`() throws {
        let key = try Vectors.key()
        let envelope = try Envelope(
            signing: utf8(Vectors.payload), as: "application/json", by: [key])
        #expect(
            code { _ = try Envelope(envelope.bytes).verified(by: [key.verifying]) }
                == .payloadType)
    }

    @Test func `a key id is a hint: neither a wrong one nor a stolen one decides`() throws {
        let (key, strange) = (try Vectors.key(), try Vectors.strangeKey())
        let message = Envelope.message(Envelope.statementType, utf8(Vectors.payload))
        let good = Base64.encode(try key.sign(message))
        let other = Base64.encode(try strange.sign(message))
        let unnamed = try json { $0["signatures"] = [["sig": good]] }
        #expect(throws: Never.self) { try Envelope(unnamed).verified(by: [key.verifying]) }
        let stolen = try json { $0["signatures"] = [["keyid": Vectors.keyID, "sig": other]] }
        #expect(code { _ = try Envelope(stolen).verified(by: [key.verifying]) } == .signature)
    }

    @Test func `keys are counted, not signatures`() throws {
        let (key, second) = (try Vectors.key(), try Vectors.strangeKey())
        let payload = utf8(Vectors.payload)
        let twice = try Envelope(signing: payload, by: [key, key])
        let trusted = [key.verifying, key.verifying, second.verifying]
        #expect(code { _ = try twice.verified(by: trusted, atLeast: 2) } == .threshold)
        let both = try Envelope(signing: payload, by: [key, second])
        #expect(try both.verified(by: trusted, atLeast: 2).keys.count == 2)
        #expect(code { _ = try both.verified(by: []) } == .signature)
    }
}
