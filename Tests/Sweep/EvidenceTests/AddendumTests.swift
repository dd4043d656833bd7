import CloudModel
import Evidence
import Foundation
import OpenSSL
import Testing

/// What is added to a statement later, and what is refused for an addendum.
struct AddendumTests {
    private static let run = "20260921T131320Z-0a0b0c0d"
    private static let second = Int64(1_000)

    /// A folder of evidence with the statement of the sample case in it and in its ledger.
    private func folder(signing: Bool = true) throws -> Scratch {
        let scratch = try Scratch()
        guard signing else {
            _ = try scratch.write(try SampleCase().statement().bytes, to: Self.run + ".json")
            return scratch
        }
        let entry = try Ledger(folder: scratch.path + "/ledger").append(try Vectors.key()) {
            place throws(EvidenceError) in
            do {
                var sample = SampleCase()
                sample.facts.ledger = place
                return try sample.statement().signed(by: [Vectors.key()])
            } catch {
                throw EvidenceError(.unreadable, "\(error)")
            }
        }
        _ = try scratch.write(entry.envelope, to: Self.run + ".json")
        return scratch
    }

    private func writer(_ scratch: Scratch, signing: Bool = true) throws -> AddendumWriter {
        AddendumWriter(
            folder: scratch.path, run: Self.run, key: signing ? try Vectors.key() : nil,
            toolVersion: "test")
    }

    private func look(
        at second: Int64, left: Int = 0, withoutData: Int = 0, unread: Int = 0,
        containers: [ErasureFacts.Subject]? = nil, proven: Bool = true,
        server: ServerFacts = .apple
    ) throws -> LookFacts {
        let sample = SampleCase()
        let id = "look-\(second)"
        var proof = SampleProof()
        proof.run = id
        return try LookFacts(
            run: id, beganAt: SampleCase.at(second), endedAt: SampleCase.at(second + 30),
            service: ServiceFacts(server, keyDigest: sample.facts.service.keyDigest),
            environment: sample.facts.environment,
            containers: containers ?? sample.facts.containers,
            passes: (1...2).map {
                EvidencePass(
                    number: $0, beganAt: SampleCase.at(second + Int64($0) * 10),
                    endedAt: SampleCase.at(second + Int64($0) * 10 + 1), requests: 8, rows: 6,
                    unread: unread, left: left)
            }, cleanPasses: 2,
            rows: left == 0
                ? []
                : [
                    .init(
                        container: SampleCase.first, database: "private", kind: "custom zones",
                        left: left, withoutData: withoutData)
                ], unread: unread, devices: [],
            provenBy: proven && left == 0 && unread == 0 ? proof : nil)
    }

    private func chain(
        _ scratch: Scratch, _ names: [String], trust: TrustFile? = nil
    ) throws -> AddendumChain {
        let statement = try scratch.read(Self.run + ".json")
        let trust = try trust ?? SampleCase.trusting(try Vectors.key())
        let attestation = try Attestation(
            envelope: statement, events: nil, proof: nil, trust: trust)
        var chain = AddendumChain(of: statement, attestation.statement.facts)
        for name in names {
            try chain.take(
                try scratch.read(name + ".json"), proof: try scratch.read(name + ".proof"),
                trust: trust)
        }
        return chain
    }

    private func names(_ numbers: Int...) -> [String] {
        numbers.map { "\(Self.run).addendum-\($0)" }
    }

    private func filled(_ scratch: Scratch) throws {
        let writer = try writer(scratch)
        _ = try writer.add(.look(try look(at: 100)), at: SampleCase.at(200))
        _ = try writer.add(
            .look(try look(at: 300, left: 2, withoutData: 2)), at: SampleCase.at(400))
        _ = try writer.add(
            .look(try look(at: 500, left: 2, withoutData: 1)), at: SampleCase.at(600))
    }

    @Test func `looks are added one behind the other, and the ledger holds them all`() throws {
        let scratch = try folder()
        try filled(scratch)
        let addenda = try chain(scratch, names(1, 2, 3)).addenda
        let found = addenda.compactMap {
            if case .look(let look) = $0.content { look.found } else { nil }
        }
        #expect(found == [.empty, .recreatedEmpty, .recreatedWithData])
        #expect(addenda.map(\.number) == [1, 2, 3])
        let trust = SampleCase.trusting(try Vectors.key())
        #expect(try Ledger(folder: scratch.path + "/ledger").audit(trust: trust).size == 4)
    }

    @Test func `an addendum is no statement, and a statement no addendum`() throws {
        let scratch = try folder()
        try filled(scratch)
        let trust = SampleCase.trusting(try Vectors.key())
        let error = #expect(throws: EvidenceError.self) {
            try Attestation(
                envelope: try scratch.read(names(1)[0] + ".json"), events: nil, proof: nil,
                trust: trust)
        }
        #expect(error?.code == .predicateType)
        let other = #expect(throws: EvidenceError.self) {
            var chain = AddendumChain(
                of: try scratch.read(Self.run + ".json"), SampleCase().facts)
            try chain.take(try scratch.read(Self.run + ".json"), proof: nil, trust: trust)
        }
        #expect(other?.code == .predicateType)
    }

    @Test func `tampered, reordered, doubled and left out addenda are refused`() throws {
        let scratch = try folder()
        try filled(scratch)
        func refusal(_ numbers: [Int]) -> EvidenceError.Code? {
            #expect(throws: EvidenceError.self) {
                try chain(scratch, numbers.map { "\(Self.run).addendum-\($0)" })
            }?.code
        }
        #expect(refusal([2]) == .addendum)
        #expect(refusal([1, 3]) == .addendum)
        #expect(refusal([2, 1]) == .addendum)
        #expect(refusal([1, 1]) == .addendum)
        let first = names(1)[0] + ".json"
        let whole = try scratch.read(first)
        for place in stride(from: 20, to: whole.count - 3, by: 37) {
            var changed = whole
            changed[place] = changed[place] == 0x41 ? 0x42 : 0x41
            guard changed != whole else { continue }
            _ = try scratch.write(changed, to: first)
            #expect(refusal([1]) != nil, "byte \(place)")
        }
        _ = try scratch.write(whole, to: first)
        #expect(throws: Never.self) { try chain(scratch, names(1, 2, 3)) }
        // Another key than the operator's.
        let strange = #expect(throws: EvidenceError.self) {
            try chain(
                scratch, names(1), trust: SampleCase.trusting(try Vectors.strangeKey()))
        }
        #expect(strange?.code == .signature)
    }

    @Test func `the addendum of another run, or of another person, is refused`() throws {
        let scratch = try folder()
        let statement = try scratch.read(Self.run + ".json")
        let facts = SampleCase().facts
        let trust = SampleCase.trusting(try Vectors.key())
        func refusal(_ change: (String, String, LookFacts)) throws -> EvidenceError.Code? {
            let addendum = Addendum(
                run: change.0, statement: change.1, number: 1, previous: nil,
                signedAt: SampleCase.at(900), toolVersion: "test", ledger: nil,
                content: .look(change.2))
            let bytes = try addendum.signed(by: [Vectors.key()]).bytes
            var chain = AddendumChain(of: statement, facts)
            do throws(EvidenceError) {
                try chain.take(bytes, proof: nil, trust: trust)
                return nil
            } catch {
                return error.code
            }
        }
        let digest = hex(SHA256.hash(statement))
        let strangers = facts.containers.map {
            ErasureFacts.Subject(
                identifier: $0.identifier, user: String(repeating: "cc", count: 16))
        }
        #expect(try refusal((Self.run, digest, try look(at: 100))) == nil)
        #expect(try refusal(("another", digest, try look(at: 100))) == .addendum)
        #expect(
            try refusal((Self.run, String(repeating: "0a", count: 32), try look(at: 100)))
                == .addendum)
        #expect(
            try refusal((Self.run, digest, try look(at: 100, containers: strangers)))
                == .addendum)
        let mock = ServerFacts(url: "https://localhost:1", isRehearsal: true)
        #expect(
            try refusal((Self.run, digest, try look(at: 100, proven: false, server: mock)))
                == .addendum)
    }

    @Test func `a ledger refuses an addendum without its statement, or in another order`() throws {
        let trust = SampleCase.trusting(try Vectors.key())
        let scratch = try Scratch()
        let ledger = Ledger(folder: scratch.path + "/ledger")
        func append(_ number: Int, previous: String?, statement: String) throws -> [UInt8] {
            let content = Addendum.Content.look(try look(at: 100))
            return try ledger.append(try Vectors.key()) { place throws(EvidenceError) in
                do {
                    return try Addendum(
                        run: Self.run, statement: statement, number: number,
                        previous: previous, signedAt: SampleCase.at(900), toolVersion: "test",
                        ledger: place, content: content
                    ).signed(by: [Vectors.key()])
                } catch {
                    throw EvidenceError(.unreadable, "\(error)")
                }
            }.envelope
        }
        _ = try append(1, previous: nil, statement: String(repeating: "0a", count: 32))
        let early = #expect(throws: EvidenceError.self) { try ledger.audit(trust: trust) }
        #expect(early?.code == .addendum)

        let other = try folder()
        let whole = Ledger(folder: other.path + "/ledger")
        try filled(other)
        #expect(throws: Never.self) { try whole.audit(trust: trust) }
        let digest = hex(SHA256.hash(try other.read(Self.run + ".json")))
        let content = Addendum.Content.look(try look(at: 700))
        _ = try whole.append(try Vectors.key()) { place throws(EvidenceError) in
            do {
                return try Addendum(
                    run: Self.run, statement: digest, number: 2,
                    previous: hex(SHA256.hash(try other.read("\(Self.run).addendum-1.json"))),
                    signedAt: SampleCase.at(900), toolVersion: "test", ledger: place,
                    content: content
                ).signed(by: [Vectors.key()])
            } catch {
                throw EvidenceError(.unreadable, "\(error)")
            }
        }
        let doubled = #expect(throws: EvidenceError.self) { try whole.audit(trust: trust) }
        #expect(doubled?.code == .addendum)
    }

    @Test func `empty takes a proof, clean passes and no row`() throws {
        #expect(try look(at: 1).found == .empty)
        #expect(try look(at: 1, proven: false).found == .incomplete)
        #expect(try look(at: 1, unread: 1).found == .incomplete)
        #expect(try look(at: 1, left: 1, unread: 1).found == .recreatedWithData)
        #expect(throws: EvidenceError.self) { try look(at: 1, left: 1, withoutData: 2) }
    }

    @Test func `a file that an interruption kept from being written is made with the next`() throws
    {
        let scratch = try folder()
        try filled(scratch)
        let second = try scratch.read(names(2)[0] + ".json")
        try FileManager.default.removeItem(atPath: scratch.path + "/\(names(2)[0]).json")
        let path = try writer(scratch).add(.look(try look(at: 700)), at: SampleCase.at(800))
        #expect(path.hasSuffix("addendum-4.json"))
        #expect(try scratch.read(names(2)[0] + ".json") == second)
    }

    @Test func `without a key there are files, one behind the other`() throws {
        let scratch = try folder(signing: false)
        let writer = try writer(scratch, signing: false)
        _ = try writer.add(.look(try look(at: 100)), at: SampleCase.at(200))
        let path = try writer.add(.look(try look(at: 300)), at: SampleCase.at(400))
        #expect(path.hasSuffix("addendum-2.json"))
        let text = String(decoding: try scratch.read(names(2)[0] + ".json"), as: UTF8.self)
        let first = hex(SHA256.hash(try scratch.read(names(1)[0] + ".json")))
        #expect(text.contains("\"previous\":\"\(first)\""))
        #expect(throws: EvidenceError.self) {
            try AddendumWriter(
                folder: scratch.path, run: "unknown", key: nil, toolVersion: "test"
            ).add(.look(try look(at: 500)), at: SampleCase.at(600))
        }
    }
}
