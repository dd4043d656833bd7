import Evidence
import FileSystem
import Foundation
import OpenSSL
import Testing

struct KeyTests {
    @Test func `a key is made once, its owner's alone, and reads back`() throws {
        let scratch = try Scratch()
        let folder = KeyFolder(stateFolder: scratch.path)
        #expect(try folder.key() == nil)
        let made = try folder.make()
        #expect(try folder.key()?.verifying.id == made.verifying.id)
        let files = Files(workingFolder: scratch.path)
        #expect(files.facts(folder.privatePath)?.mode == 0o600)
        #expect(files.facts(scratch.path + "/keys")?.mode == 0o700)
        let published = try VerifyingKey(pem: files.read(folder.publicPath))
        #expect(published.id == made.verifying.id)
        #expect(throws: EvidenceError.self) { try folder.make() }
        #expect(try folder.key()?.verifying.id == made.verifying.id)
    }

    @Test func `a key that others can use, a link, and no key are refused`() throws {
        let scratch = try Scratch()
        let folder = KeyFolder(stateFolder: scratch.path)
        _ = try folder.make()
        for mode in [0o640, 0o604, 0o660] {
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: folder.privatePath)
            #expect(
                #expect(throws: EvidenceError.self) { try folder.key() }?.code == .unreadable)
        }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.privatePath)
        let moved = scratch.path + "/moved.pem"
        try FileManager.default.moveItem(atPath: folder.privatePath, toPath: moved)
        try FileManager.default.createSymbolicLink(
            atPath: folder.privatePath, withDestinationPath: moved)
        #expect(throws: EvidenceError.self) { try folder.key() }
        try FileManager.default.removeItem(atPath: folder.privatePath)
        _ = try scratch.write(try P256.PrivateKey.generate().pem, to: "keys/evidence.pem")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.privatePath)
        #expect(throws: EvidenceError.self) { try folder.key() }
    }

    // MARK: Trust files

    private func trust(_ head: String) throws -> TrustFile {
        let pem = String(decoding: try Vectors.key().verifying.key.pem, as: UTF8.self)
        return try TrustFile(utf8(head + pem))
    }

    @Test func `a file with a key alone is a trust file`() throws {
        let trust = try trust("")
        #expect(trust.entries.map(\.key.id) == [Vectors.keyID])
        #expect(trust.entries[0].name == String(Vectors.keyID.prefix(16)))
    }

    @Test func `a key counts from when to when it says, and not when it was revoked`() throws {
        let sample = SampleCase()
        let envelope = try sample.statement().signed(by: [Vectors.key()]).bytes
        let signed = sample.facts.signedAt
        func code(_ head: String) throws -> EvidenceError.Code? {
            let trust = try trust(head)
            do {
                _ = try sample.attest(envelope, trust: trust)
                return nil
            } catch let error as EvidenceError {
                return error.code
            }
        }
        let (before, after) = (signed.advanced(by: .seconds(-9)), signed.advanced(by: .seconds(9)))
        #expect(
            try code(
                "# ours\nname: ours\nnot-before: \(before.iso8601)\nnot-after: \(after.iso8601)\n")
                == nil)
        #expect(try code("name: ours\nnot-before: \(after.iso8601)\n") == .keyNotValid)
        #expect(try code("name: ours\nnot-after: \(before.iso8601)\n") == .keyNotValid)
        // When it was signed is the signer's own word: whoever has a revoked key can say anything.
        #expect(try code("name: ours\nrevoked-at: \(after.iso8601)\n") == .keyNotValid)
    }

    @Test(arguments: [
        "name ours\n", "name: a\nname: b\n", "not-before: yesterday\n", "color: red\n", "name:\n",
        "not-after: 2026-01-01T00:00:00Z\nnot-after: 2026-01-01T00:00:00Z\n",
    ])
    func `a trust file with anything else in it is refused`(head: String) {
        #expect(#expect(throws: EvidenceError.self) { try trust(head) }?.code == .unreadable)
    }

    @Test(arguments: ["", "name: a\n", "-----BEGIN PUBLIC KEY-----\nAAAA\n"])
    func `a trust file without a whole key is refused`(text: String) {
        #expect(
            #expect(throws: EvidenceError.self) { try TrustFile(utf8(text)) }?.code == .unreadable)
    }

    // MARK: Pseudonyms

    @Test func `a pseudonym is the HMAC that other programs find`() {
        let key = CaseKey(Array(0..<32))
        #expect(
            key.pseudonym(of: "_ada", .user, in: "iCloud.com.example.a", "development")
                == Vectors.pseudonym)
    }

    @Test func `no two names have one pseudonym, and no two cases`() {
        let key = CaseKey(Array(0..<32))
        let names = [
            key.pseudonym(of: "c", .user, in: "a\nb", "d"),
            key.pseudonym(of: "b\nc", .user, in: "a", "d"),
            key.pseudonym(of: "c", .zone, in: "a\nb", "d"),
            CaseKey(Array(1..<33)).pseudonym(of: "c", .user, in: "a\nb", "d"),
        ]
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.count == 32 })
        #expect(key.digest != CaseKey(Array(1..<33)).digest)
    }
}
