import CloudModel
import Evidence
import Testing

/// S12: the signer derives the verdict.
struct SignerTests {
    @Test func `S12 complete takes Apple's service, the rules and a proof`() throws {
        let sample = SampleCase()
        let statement = try sample.statement()
        #expect(statement.verdict == .complete)
        let envelope = try statement.signed(by: [Vectors.key()]).bytes
        var expected = Expectations()
        expected.verdict = .complete
        let attestation = try sample.attest(
            envelope, events: sample.events, expecting: expected)
        #expect(attestation.statement.verdict == .complete && attestation.hasEvents)
        #expect(attestation.statement.bytes == statement.bytes)
        #expect(attestation.signers.map(\.id) == [Vectors.keyID])
    }

    @Test func `S12 without a proof it is partial, whatever the numbers say`() throws {
        var sample = SampleCase()
        sample.proof = nil
        #expect(try sample.statement().verdict == .partial)
    }

    @Test func `S12 the proof of another run, environment or server proves nothing here`() throws {
        for field in [\SampleProof.run, \.environment, \.server] {
            var sample = SampleCase()
            sample.proof?[keyPath: field] = "other"
            #expect(try sample.statement().verdict == .partial)
        }
    }

    @Test func `S12 nor does one of other containers, another key, or too few passes`() throws {
        var sample = SampleCase()
        sample.proof?.containers = [SampleCase.first]
        #expect(try sample.statement().verdict == .partial)
        sample.proof = SampleProof(serverKey: nil)
        #expect(try sample.statement().verdict == .partial)
        sample.proof = SampleProof(cleanPasses: 1)
        #expect(try sample.statement().verdict == .partial)
    }

    @Test(arguments: [
        ServerFacts(url: "https://localhost:8443", isRehearsal: true),
        ServerFacts(url: "https://api.apple-cloudkit.com.example", isRehearsal: false),
        ServerFacts(url: ServerFacts.apple.url, isRehearsal: true),
    ])
    func `what was not done at Apple's host is a rehearsal`(server: ServerFacts) throws {
        var sample = SampleCase(server: server)
        sample.proof?.server = server.url
        #expect(try sample.statement().verdict == .rehearsal)
    }

    /// Otherwise a rehearsal could succeed, and the same run in production not.
    @Test func `a rehearsal is held to the rules of complete statements as well`() throws {
        var sample = SampleCase(server: ServerFacts(url: "https://localhost:1", isRehearsal: true))
        sample.proof?.server = "https://localhost:1"
        #expect(try sample.statement().shortfall == nil)
        sample.facts.passes[2].left = 1
        let statement = try sample.statement()
        #expect(statement.verdict == .rehearsal)
        #expect(statement.shortfall?.hasPrefix("R6: ") == true)
    }

    @Test func `a server that showed no key is not Apple's`() throws {
        var sample = SampleCase()
        sample.facts.service = ServiceFacts(.apple, keyDigest: nil)
        sample.proof?.serverKey = nil
        #expect(try sample.statement().verdict == .rehearsal)
    }

    @Test func `a row that is not settled makes it partial`() throws {
        for outcome in EvidenceRow.Outcome.allCases {
            var sample = SampleCase()
            sample.facts.coverage[2].outcome = outcome
            let isComplete = try sample.statement().verdict == .complete
            let clean: Set<EvidenceRow.Outcome> = [
                .deleted, .alreadyGone, .empty, .kept, .notInScope,
            ]
            #expect(isComplete == clean.contains(outcome), "\(outcome)")
        }
    }

    @Test func `facts that contradict themselves are not signed at all`() throws {
        var sample = SampleCase()
        sample.facts.coverage[0].counts.found = 4
        let error = #expect(throws: EvidenceError.self) { try sample.statement() }
        #expect(error?.code == .rowSum)
        sample = SampleCase()
        sample.facts.coverage.append(sample.facts.coverage[0])
        #expect(
            #expect(throws: EvidenceError.self) { try sample.statement() }?.code == .coverage)
    }

    @Test func `a partial statement says what is left, and holds`() throws {
        var sample = SampleCase()
        sample.proof = nil
        sample.facts.run.exitStatus = 6
        sample.facts.coverage[0].outcome = .left
        sample.facts.coverage[0].counts.left = 1
        sample.facts.coverage[0].counts.deleted = 2
        let envelope = try sample.statement().signed(by: [Vectors.key()]).bytes
        let attestation = try sample.attest(envelope, events: sample.events)
        #expect(attestation.statement.verdict == .partial)
        #expect(attestation.statement.facts.counts.left == 1)
    }
}
