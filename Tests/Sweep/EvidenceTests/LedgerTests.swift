import Evidence
import FileSystem
import Foundation
import OpenSSL
import Testing

struct LedgerTests {
    /// A ledger with entries of as many runs.
    private func filled(_ count: Int, in scratch: Scratch) throws -> [Ledger.Entry] {
        try (0..<count).map { try append($0, in: scratch) }
    }

    @discardableResult
    private func append(
        _ number: Int, in scratch: Scratch, run: String? = nil, plan: String? = nil
    ) throws -> Ledger.Entry {
        try Ledger(folder: scratch.path + "/ledger").append(try Vectors.key()) {
            place throws(EvidenceError) in
            do {
                var sample = SampleCase()
                sample.facts.run.nonce = hex(Array(SHA256.hash([UInt8(number)]).prefix(16)))
                sample.facts.plan?.digest = plan ?? hex(SHA256.hash([UInt8(number)]))
                if let run {
                    sample.facts.run.id = run
                    sample.proof?.run = run
                }
                sample.facts.ledger = place
                return try sample.statement().signed(by: [Vectors.key()])
            } catch {
                throw EvidenceError(.unreadable, "\(error)")
            }
        }
    }

    private func audit(
        _ scratch: Scratch, from kept: Checkpoint? = nil
    ) throws -> (size: Int, root: [UInt8]) {
        try Ledger(folder: scratch.path + "/ledger").audit(
            trust: SampleCase.trusting(try Vectors.key()), from: kept)
    }

    private func refusal(
        _ scratch: Scratch, from kept: Checkpoint? = nil
    ) -> EvidenceError.Code? {
        #expect(throws: EvidenceError.self) { try audit(scratch, from: kept) }?.code
    }

    @Test func `every entry is shown to be in it, with the checkpoint after it`() throws {
        let scratch = try Scratch()
        let entries = try filled(5, in: scratch)
        let key = try Vectors.key().verifying
        for (index, entry) in entries.enumerated() {
            #expect(entry.place.index == index && entry.checkpoint.size == index + 1)
            let proof = try LedgerProof(entry.proof.bytes)
            #expect(try proof.check(entry.envelope, signedBy: [key]) == entry.checkpoint)
            let attestation = try Attestation(
                envelope: entry.envelope, events: nil, proof: entry.proof.bytes,
                trust: SampleCase.trusting(try Vectors.key()))
            #expect(attestation.ledgerSize == index + 1)
        }
        #expect(try audit(scratch).root == entries[4].checkpoint.root)
        for entry in entries {
            #expect(try audit(scratch, from: entry.checkpoint).size == 5)
        }
    }

    @Test func `the proof of another entry is refused`() throws {
        let scratch = try Scratch()
        let entries = try filled(2, in: scratch)
        let error = #expect(throws: EvidenceError.self) {
            try Attestation(
                envelope: entries[0].envelope, events: nil, proof: entries[1].proof.bytes,
                trust: SampleCase.trusting(try Vectors.key()))
        }
        #expect(error?.code == .inclusion)
    }

    @Test func `a ledger that was cut off, changed, or put in another order is refused`() throws {
        let scratch = try Scratch()
        let entries = try filled(4, in: scratch)
        let folder = scratch.path + "/ledger/"
        let kept = entries[3].checkpoint
        let last = try scratch.read("ledger/00000003.json")
        try FileManager.default.removeItem(atPath: folder + "00000003.json")
        // By itself it looks whole: only who kept a checkpoint can tell.
        #expect(try audit(scratch).size == 3)
        #expect(refusal(scratch, from: kept) == .ledger)
        // Another entry in its place.
        try append(9, in: scratch)
        #expect(try audit(scratch).size == 4)
        #expect(refusal(scratch, from: kept) == .ledger)
        _ = try scratch.write(last, to: "ledger/00000003.json")
        #expect(throws: Never.self) { try audit(scratch, from: kept) }
        try FileManager.default.removeItem(atPath: folder + "00000001.json")
        #expect(refusal(scratch) == .ledger)
        _ = try scratch.write(entries[2].envelope, to: "ledger/00000001.json")
        #expect(refusal(scratch) == .ledger)
        var changed = entries[1].envelope
        changed[30] ^= 1
        _ = try scratch.write(changed, to: "ledger/00000001.json")
        #expect(refusal(scratch) != nil)
    }

    @Test func `an entry of another ledger is refused, though its place is the same`() throws {
        let (scratch, other) = (try Scratch(), try Scratch())
        _ = try filled(2, in: scratch)
        try append(5, in: other)
        let stranger = try append(6, in: other)
        _ = try scratch.write(stranger.envelope, to: "ledger/00000001.json")
        #expect(refusal(scratch) == .ledger)
    }

    @Test func `a plan is used once, but for a run that goes on`() throws {
        let scratch = try Scratch()
        try append(0, in: scratch, plan: Vectors.keyID)
        try append(1, in: scratch, plan: Vectors.keyID)
        #expect(throws: Never.self) { try audit(scratch) }
        try append(2, in: scratch, run: "another", plan: Vectors.keyID)
        #expect(refusal(scratch) == .ledger)
    }

    @Test func `a place that another run took is not taken twice`() throws {
        let scratch = try Scratch()
        let ledger = Ledger(folder: scratch.path + "/ledger")
        var places: [Int] = []
        let key = try Vectors.key()
        let entry = try ledger.append(key) { place throws(EvidenceError) in
            places.append(place.index)
            do {
                if places.count == 1 { try append(7, in: scratch) }
                var sample = SampleCase()
                sample.facts.ledger = place
                return try sample.statement().signed(by: [key])
            } catch {
                throw EvidenceError(.unreadable, "\(error)")
            }
        }
        #expect(places == [0, 1])
        #expect(entry.place.index == 1)
        #expect(try audit(scratch).size == 2)
    }

    @Test func `files of the ledger are their owner's alone`() throws {
        let scratch = try Scratch()
        try append(0, in: scratch)
        let files = Files(workingFolder: scratch.path)
        for name in try files.names(in: "ledger") {
            #expect(files.facts("ledger/" + name)?.mode == 0o600, "\(name)")
        }
    }

    // MARK: New keys

    /// An entry of a key that is told, in the ledger of `scratch`.
    private func append(_ number: Int, by key: SigningKey, in scratch: Scratch) throws {
        _ = try Ledger(folder: scratch.path + "/ledger").append(key) {
            (place) throws(EvidenceError) in
            do {
                var sample = SampleCase()
                sample.facts.plan?.digest = hex(SHA256.hash([UInt8(number)]))
                sample.facts.ledger = place
                return try sample.statement().signed(by: [key])
            } catch {
                throw EvidenceError(.unreadable, "\(error)")
            }
        }
    }

    @Test func `a ledger goes on under a new key, of which the old one tells`() throws {
        let scratch = try Scratch()
        let folder = KeyFolder(stateFolder: scratch.path)
        let ledger = Ledger(folder: scratch.path + "/ledger")
        let old = try folder.make()
        try append(0, by: old, in: scratch)
        let new = try folder.rotate(in: ledger, at: SampleCase.at(100))
        #expect(new.verifying.id != old.verifying.id)
        #expect(try folder.key()?.verifying.id == new.verifying.id)
        let files = Files(workingFolder: scratch.path)
        #expect(
            try files.names(in: "keys") == [
                "evidence-\(old.verifying.shortID).pub.pem", "evidence.pem", "evidence.pub.pem",
            ])
        #expect(files.facts("keys/evidence.pem")?.mode == 0o600)
        #expect(try VerifyingKey(pem: files.read(folder.publicPath)).id == new.verifying.id)
        try append(1, by: new, in: scratch)
        #expect(try ledger.audit(trust: SampleCase.trusting(old)).size == 3)
        // Who trusts the new one only cannot say who signed before.
        #expect(
            #expect(throws: EvidenceError.self) {
                try ledger.audit(trust: SampleCase.trusting(new))
            }?.code == .signature)
        // The old one signs nothing more.
        try append(2, by: old, in: scratch)
        #expect(
            #expect(throws: EvidenceError.self) {
                try ledger.audit(trust: SampleCase.trusting(old))
            }?.code == .signature)
    }

    @Test func `a rotation that was cut off goes on with the same new key`() throws {
        let scratch = try Scratch()
        let folder = KeyFolder(stateFolder: scratch.path)
        let old = try folder.make()
        let next = try Vectors.key()
        try Files(workingFolder: scratch.path).write(
            next.pem, to: "keys/evidence.next.pem", mode: 0o600, replacing: false)
        let ledger = Ledger(folder: scratch.path + "/ledger")
        #expect(
            try folder.rotate(in: ledger, at: SampleCase.at(0)).verifying.id == Vectors.keyID)
        #expect(try ledger.audit(trust: SampleCase.trusting(old)).size == 1)
        let empty = KeyFolder(stateFolder: scratch.path + "/empty")
        #expect(throws: EvidenceError.self) {
            try empty.rotate(in: ledger, at: SampleCase.at(0))
        }
    }

    @Test func `a change that only one of the two keys has signed is refused`() throws {
        let (old, new) = (try Vectors.key(), try Vectors.strangeKey())
        for alone in [old, new] {
            let scratch = try Scratch()
            let ledger = Ledger(folder: scratch.path + "/ledger")
            _ = try ledger.append(old) { (place) throws(EvidenceError) in
                do {
                    let both = try KeyChange.envelope(
                        from: old, to: new, at: SampleCase.at(0), in: place)
                    let payload = try both.verified(by: [old.verifying]).payload
                    return try Envelope(signing: payload, by: [alone])
                } catch {
                    throw EvidenceError(.unreadable, "\(error)")
                }
            }
            #expect(
                #expect(throws: EvidenceError.self) {
                    try ledger.audit(trust: SampleCase.trusting(old))
                } != nil)
        }
    }

    @Test
    func `a run that was cut off between its entry and the checkpoint leaves nothing unproven`()
        throws
    {
        let scratch = try Scratch()
        let entries = try filled(3, in: scratch)
        let ledger = Ledger(folder: scratch.path + "/ledger")
        let path = scratch.path + "/ledger/00000002.checkpoint"
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: EvidenceError.self) { try ledger.proof(of: entries[2].envelope) }
        let proof = try ledger.proof(of: entries[2].envelope, signingWith: Vectors.key())
        #expect(proof == entries[2].proof)
        #expect(FileManager.default.fileExists(atPath: path))
        // From now on it is there for everybody.
        #expect(try ledger.proof(of: entries[2].envelope) == proof)
    }

    @Test
    func
        `a proof that is older than a checkpoint that was kept has expired, until it is made anew`()
        throws
    {
        let scratch = try Scratch()
        let entries = try filled(4, in: scratch)
        let trust = SampleCase.trusting(try Vectors.key())
        func attest(_ proof: [UInt8]?, since kept: [UInt8]) throws -> Attestation {
            try Attestation(
                envelope: entries[1].envelope, events: nil, proof: proof, since: kept,
                trust: trust)
        }
        func code(_ proof: [UInt8]?, since kept: [UInt8]) -> EvidenceError.Code? {
            #expect(throws: EvidenceError.self) { try attest(proof, since: kept) }?.code
        }
        let (old, late) = (entries[1].proof.bytes, entries[3].proof.note)
        #expect(code(old, since: late) == .checkpoint)
        #expect(code(nil, since: late) == .inclusion)
        #expect(try attest(old, since: entries[0].proof.note).ledgerSize == 2)
        let ledger = Ledger(folder: scratch.path + "/ledger")
        let new = try ledger.proof(of: entries[1].envelope).bytes
        #expect(try attest(new, since: late).ledgerSize == 4)
        let strange = #expect(throws: EvidenceError.self) { try ledger.proof(of: [1]) }
        #expect(strange?.code == .inclusion)
        // As many entries, and others.
        let other = try Scratch()
        try append(0, in: other)
        let fork = try append(9, in: other)
        #expect(code(old, since: fork.proof.note) == .ledger)
    }
}
