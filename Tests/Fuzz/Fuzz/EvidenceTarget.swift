import Basics
import Evidence
import FileSystem
import OpenSSL

/// A statement: as it is, or signed with a trusted key, so that what is below the signature is read
/// too. The first line is the statement, the others are the events of its run.
func fuzzStatement(_ input: [UInt8]) {
    var lines = EvidenceForge.lines(input)
    guard !lines.isEmpty else { return }
    let head = lines.removeFirst()
    guard EvidenceForge.attestation(of: input, events: nil) == nil else {
        preconditionFailure("a statement is believed that no trusted key has signed")
    }
    var log = EventLog()
    for line in lines {
        do throws(EvidenceError) {
            try log.take(line)
        } catch {
            return
        }
    }
    let (digest, _) = log.finish()
    let statement = EvidenceForge.normal(head) { $0 = $0.about(digest) }
    let envelope = EvidenceForge.signed(statement)
    let events = FuzzFolder.write(lines.flatMap { $0 + [0x0A] }, to: "events.jsonl")
    guard let attestation = EvidenceForge.attestation(of: envelope, events: events) else { return }
    precondition(
        attestation.statement.bytes == statement, "what we write is read as something else")
    EvidenceForge.use(attestation.statement.facts)
}

/// The addenda to a statement: the first line is the statement, the others its addenda, each signed
/// and made to stand on the one before it. An even first byte leaves their links alone.
func fuzzAddenda(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let isLinked = first % 2 == 1
    let lines = EvidenceForge.lines(Array(input.dropFirst()))
    guard let head = lines.first else { return }
    let statement = EvidenceForge.signed(EvidenceForge.normal(head) { _ in })
    guard let attestation = EvidenceForge.attestation(of: statement, events: nil) else { return }
    var chain = AddendumChain(of: statement, attestation.statement.facts)
    var previous: [UInt8]?
    for line in lines.dropFirst() {
        let bytes = EvidenceForge.normal(line) {
            if isLinked { $0 = $0.standing(on: previous, about: statement) }
        }
        let envelope = EvidenceForge.signed(bytes)
        do throws(EvidenceError) {
            try chain.take(envelope, proof: nil, trust: EvidenceForge.trust)
        } catch {
            return
        }
        guard let addendum = chain.addenda.last else { preconditionFailure("it is not taken") }
        precondition(addendum.bytes == bytes, "what we write is read as something else")
        EvidenceForge.use(addendum)
        previous = envelope
    }
}

/// A ledger: the first byte chooses. Entries of which each is signed and made to stand on those
/// before it, or entries as they are; a checkpoint or a proof, as it is or signed; hashes of a proof.
func fuzzLedger(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    switch first % 4 {
    case 0: EvidenceForge.audit(bytes, isSigned: true)
    case 1: EvidenceForge.audit(bytes, isSigned: false)
    case 2: EvidenceForge.readNotes(bytes)
    default: EvidenceForge.checkHashes(bytes)
    }
}

/// What an operator with a trusted key could sign.
private enum EvidenceForge {
    static let key = key(from: 0)
    /// What a ledger may go on under.
    private static let nextKey = key(from: 32)
    static let trust = TrustFile([TrustFile.Entry(name: "operator", key: key.verifying)])

    private static func key(from first: UInt8) -> SigningKey {
        do {
            return SigningKey(try Ed25519.PrivateKey(seed: Array(first..<first + 32)))
        } catch {
            preconditionFailure("no key: \(error)")
        }
    }

    static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: 0x0A).map { Array($0) }
    }

    /// The canonical form after an edit; what is no JSON of evidence stays as it is.
    static func normal(_ bytes: [UInt8], _ edit: (inout CanonicalValue) -> Void) -> [UInt8] {
        do throws(EvidenceError) {
            var value = try StrictReader.read(bytes)
            edit(&value)
            return value.canonicalBytes
        } catch {
            return bytes
        }
    }

    static func signed(_ bytes: [UInt8], by keys: [SigningKey] = [key]) -> [UInt8] {
        do throws(OpenSSLError) {
            return try Envelope(signing: bytes, by: keys).bytes
        } catch {
            preconditionFailure("it cannot be signed: \(error)")
        }
    }

    static func attestation(of envelope: [UInt8], events: String?) -> Attestation? {
        try? Attestation(envelope: envelope, events: events, proof: nil, trust: trust)
    }

    /// Asks for what a statement is shown with.
    static func use(_ facts: ErasureFacts) {
        _ = (
            facts.counts, facts.signedAt.iso8601, facts.run.beganAt.iso8601,
            facts.run.endedAt.iso8601
        )
        _ = (facts.clockSkew?.isNoticeable, facts.plan?.expiresAt.iso8601)
    }

    /// Asks for what an addendum is shown with.
    static func use(_ addendum: Addendum) {
        _ = addendum.signedAt.iso8601
        switch addendum.content {
        case .look(let look): _ = (look.found, look.left, look.endedAt.iso8601)
        case .access(let access): _ = (access.isDone, access.changedAt.iso8601)
        case .hook(let hook): _ = hook.endedAt.iso8601
        }
    }

    static func audit(_ bytes: [UInt8], isSigned: Bool) {
        let folder = FuzzFolder.emptied("ledger")
        var tree = MerkleTree()
        var runs: (statement: [UInt8]?, addendum: [UInt8]?)
        let lines = lines(bytes)
        for (index, line) in lines.enumerated() {
            var entry = line
            if isSigned {
                entry = signed(
                    normal(line) {
                        $0 = $0.standing(in: tree, at: index)
                        guard let statement = runs.statement, $0.isAddendum else { return }
                        $0 = $0.standing(on: runs.addendum, about: statement)
                    }, by: [key, nextKey])
                let isAddendum = (try? StrictReader.read(line))?.isAddendum ?? false
                if isAddendum { runs.addendum = entry } else { runs = (entry, nil) }
            }
            let digits = String(index)
            let name = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
            _ = FuzzFolder.write(entry, to: "ledger/\(name).json")
            tree.append(entry)
        }
        do throws(EvidenceError) {
            let (size, root) = try Ledger(folder: folder).audit(trust: trust)
            precondition(size == lines.count && root == tree.root, "another ledger was audited")
            precondition(isSigned || lines.isEmpty, "entries without a signature are believed")
            for kept in 0...size {
                let checkpoint = Checkpoint(origin: "fuzz", size: kept, root: root)
                _ = try Ledger(folder: folder).audit(trust: trust, from: checkpoint)
            }
        } catch {}
    }

    static func readNotes(_ bytes: [UInt8]) {
        _ = try? Checkpoint(bytes, signedBy: [key.verifying])
        if let proof = try? LedgerProof(bytes) {
            precondition(proof.bytes == bytes, "what we write is read as something else")
            _ = try? proof.check([1], signedBy: [key.verifying])
        }
        // The first three lines of a checkpoint, signed; a proof behind it is read with it.
        let lines = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count == 4, let size = Int(String(decoding: lines[1], as: UTF8.self)) else {
            return
        }
        let checkpoint = Checkpoint(
            origin: String(decoding: lines[0], as: UTF8.self), size: size, root: Array(lines[2]))
        guard let note = try? checkpoint.signed(by: key) else {
            preconditionFailure("it cannot be signed")
        }
        if let read = try? Checkpoint(note, signedBy: [key.verifying]) {
            precondition(read == checkpoint, "what we write is read as something else")
        }
        if let proof = try? LedgerProof(Array(lines[3]) + note) {
            _ = try? proof.check([1], signedBy: [key.verifying])
        }
    }

    static func checkHashes(_ bytes: [UInt8]) {
        var numbers: [Int] = []
        var rest = bytes[...]
        for _ in 0..<2 {
            numbers.append(
                Int(truncatingIfNeeded: rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }))
            rest = rest.dropFirst(8)
        }
        let path = rest.prefix(32 * 200).split(separator: 0x0A).map { SHA256.hash(Array($0)) }
        let root = MerkleTree(leaves: path).root
        precondition(
            !MerkleProof.isIncluded(
                MerkleTree.leaf(bytes), at: numbers[0], of: numbers[1], root: root, by: path),
            "an entry is in a tree that it is not in")
        _ = MerkleProof.isConsistent(numbers[0], root, with: numbers[1], root, by: path)
    }
}

extension CanonicalValue {
    fileprivate var isAddendum: Bool {
        guard case .object(let members) = self else { return false }
        return members.contains {
            guard $0.0 == "predicateType", case .text(let type) = $0.1 else { return false }
            return type == Addendum.predicateType
        }
    }

    /// The same with other values for keys that an object has already; what is no object stays.
    private func with(_ changes: [String: CanonicalValue]) -> CanonicalValue {
        guard case .object(let members) = self else { return self }
        return .object(members.map { ($0.0, changes[$0.0] ?? $0.1) })
    }

    private func edited(_ key: String, _ edit: (CanonicalValue) -> CanonicalValue) -> CanonicalValue
    {
        guard case .object(let members) = self else { return self }
        return .object(members.map { ($0.0, $0.0 == key ? edit($0.1) : $0.1) })
    }

    /// The statement, about these events.
    fileprivate func about(_ digest: EventDigest) -> CanonicalValue {
        edited("predicate") {
            $0.edited("events") {
                $0.with([
                    "bytes": .number(Int64(digest.bytes)), "chainHead": .text(digest.chainHead),
                    "count": .number(Int64(digest.count)), "root": .text(digest.root),
                    "sha256": .text(digest.sha256),
                ])
            }
        }.edited("subject") { $0.naming("events", digest.sha256) }
    }

    /// The addendum, about this statement and behind the last addendum to it.
    fileprivate func standing(on last: [UInt8]?, about statement: [UInt8]) -> CanonicalValue {
        let digest = Hexadecimal.encode(SHA256.hash(statement))
        return edited("predicate") {
            $0.with([
                "statement": .text(digest),
                "previous": .optional(last.map { Hexadecimal.encode(SHA256.hash($0)) }),
            ])
        }.edited("subject") { $0.naming("statement", digest) }
    }

    /// The entry in its place of a ledger.
    fileprivate func standing(in tree: MerkleTree, at index: Int) -> CanonicalValue {
        edited("predicate") {
            $0.edited("ledger") {
                $0.with([
                    "index": .number(Int64(index)),
                    "previousRoot": .text(Hexadecimal.encode(tree.root)),
                ])
            }
        }
    }

    /// The subjects, that of this name with this digest.
    private func naming(_ name: String, _ digest: String) -> CanonicalValue {
        guard case .list(let subjects) = self else { return self }
        return .list(
            subjects.map { subject in
                guard case .object(let members) = subject,
                    members.contains(where: {
                        guard $0.0 == "name", case .text(let text) = $0.1 else { return false }
                        return text == name
                    })
                else { return subject }
                return subject.with(["digest": .object([("sha256", .text(digest))])])
            })
    }
}
