import Basics
import FileSystem
import OpenSSL

/// The statements of a state folder, one after the other: a file an entry, whose place nobody can take
/// twice, and beside it the checkpoint after it.
///
/// It only grows. Whoever keeps a checkpoint finds out when an entry was changed or taken out.
package struct Ledger: Sendable {
    private let folder: String
    private let files = Files(workingFolder: Files.currentFolder)

    /// Entries of one ledger.
    package static let entriesMax = 1_000_000
    /// Others that sign at the same time and may come first.
    private static let attemptsMax = 100

    package init(folder: String) { self.folder = folder }

    /// What stands at one place.
    package struct Entry: Sendable {
        package let place: ErasureFacts.LedgerPlace
        package let envelope: [UInt8]
        package let checkpoint: Checkpoint
        package let proof: LedgerProof
    }

    /// The envelopes in their order.
    ///
    /// - Throws: `ledger` when one is missing, `unreadable`.
    package func envelopes() throws(EvidenceError) -> [[UInt8]] {
        guard files.facts(folder) != nil else { return [] }
        do {
            let names = try files.names(in: folder).filter { $0.hasSuffix(".json") }
            var envelopes: [[UInt8]] = []
            for (index, name) in names.enumerated() {
                guard name == Self.name(index) + ".json" else {
                    throw EvidenceError(.ledger, "entry \(index) of the ledger is missing")
                }
                envelopes.append(
                    try files.read("\(folder)/\(name)", bytesMax: StrictReader.bytesMax))
            }
            return envelopes
        } catch let error as EvidenceError {
            throw error
        } catch {
            throw EvidenceError(.unreadable, "\(error)")
        }
    }

    private static func name(_ index: Int) -> String {
        let digits = "\(index)"
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    /// Adds an envelope at the end.
    ///
    /// - Parameters:
    ///   - key: Signs the checkpoint.
    ///   - make: Makes the envelope for its place; called again when another run took that place.
    /// - Throws: `ledger`, `unreadable`, or what `make` throws.
    package func append(
        _ key: SigningKey, _ make: (ErasureFacts.LedgerPlace) throws(EvidenceError) -> Envelope
    ) throws(EvidenceError) -> Entry {
        do throws(FileError) {
            try files.makeFolder(folder)
        } catch {
            throw EvidenceError(.unreadable, "\(error)")
        }
        for _ in 0..<Self.attemptsMax {
            if let entry = try tryToAppend(key, make) { return entry }
        }
        throw EvidenceError(
            .ledger,
            "gave up after many attempts: other runs keep adding to the ledger")
    }

    /// nil: another run was first.
    private func tryToAppend(
        _ key: SigningKey, _ make: (ErasureFacts.LedgerPlace) throws(EvidenceError) -> Envelope
    ) throws(EvidenceError) -> Entry? {
        var leaves = try envelopes().map { MerkleTree.leaf($0) }
        let index = leaves.count
        guard index < Self.entriesMax else {
            throw EvidenceError(.ledger, "the ledger is full: \(Self.entriesMax) entries")
        }
        let place = ErasureFacts.LedgerPlace(
            origin: try origin(key.verifying), index: index,
            previousRoot: Hexadecimal.encode(MerkleTree(leaves: leaves).root))
        let envelope = try make(place).bytes
        leaves.append(MerkleTree.leaf(envelope))
        let checkpoint = Checkpoint(
            origin: place.origin, size: leaves.count, root: MerkleTree(leaves: leaves).root)
        let path = "\(folder)/\(Self.name(index))"
        do {
            let note = try checkpoint.signed(by: key)
            do throws(FileError) {
                try files.write(envelope, to: path + ".json", mode: 0o600, replacing: false)
            } catch {
                guard files.facts(path + ".json") != nil else { throw error }
                return nil
            }
            try files.write(note, to: path + ".checkpoint", mode: 0o600, replacing: true)
            return Entry(
                place: place, envelope: envelope, checkpoint: checkpoint,
                proof: LedgerProof(
                    index: index, path: MerkleProof.inclusion(of: index, in: leaves), note: note))
        } catch {
            throw EvidenceError(.unreadable, "cannot write the ledger: \(error)")
        }
    }

    /// The ledger's name: its own, and the same for its whole life.
    private func origin(_ key: VerifyingKey) throws(EvidenceError) -> String {
        let path = "\(folder)/origin"
        do {
            if files.facts(path) == nil {
                let made = "cksweep.local/ledger/" + key.shortID
                do throws(FileError) {
                    try files.write(
                        Array(made.utf8), to: path, mode: 0o600, replacing: false)
                } catch {
                    // Another run was first: its name counts.
                    guard files.facts(path) != nil else { throw error }
                }
            }
            return String(decoding: try files.read(path, bytesMax: 256), as: UTF8.self)
        } catch {
            throw EvidenceError(.unreadable, "cannot use the ledger's name: \(error)")
        }
    }

    /// Proves that an envelope stands in the ledger as it is now, by its newest checkpoint.
    ///
    /// - Parameter key: Signs the newest checkpoint if it is missing, because the run that added the entry was
    ///   interrupted before signing it. Without a key, a missing checkpoint is the error `unreadable`.
    /// - Throws: `inclusion` when it does not, `ledger`, `unreadable`.
    package func proof(
        of envelope: [UInt8], signingWith key: SigningKey? = nil
    ) throws(EvidenceError) -> LedgerProof {
        let envelopes = try envelopes()
        guard let index = envelopes.firstIndex(of: envelope) else {
            throw EvidenceError(.inclusion, "the ledger does not contain this statement")
        }
        let path = "\(folder)/\(Self.name(envelopes.count - 1)).checkpoint"
        do {
            if let key, files.facts(path) == nil {
                let root = MerkleTree(leaves: envelopes.map { MerkleTree.leaf($0) }).root
                let checkpoint = Checkpoint(
                    origin: try origin(key.verifying), size: envelopes.count, root: root)
                try files.write(
                    try checkpoint.signed(by: key), to: path, mode: 0o600, replacing: true)
            }
            return LedgerProof(
                index: index,
                path: MerkleProof.inclusion(of: index, in: envelopes.map { MerkleTree.leaf($0) }),
                note: try files.read(path, bytesMax: 1 << 16))
        } catch {
            throw EvidenceError(.unreadable, "cannot read the newest checkpoint: \(error)")
        }
    }

    /// Checks the whole ledger, and that it goes on from a checkpoint that somebody kept.
    ///
    /// - Returns: what it is now.
    /// - Throws: `ledger` when entries are missing, changed or in another place.
    package func audit(
        trust: TrustFile, from kept: Checkpoint? = nil
    ) throws(EvidenceError) -> (size: Int, root: [UInt8]) {
        var tree = MerkleTree()
        var leaves: [[UInt8]] = []
        var plans: [String: String] = [:]
        var trusted = trust
        var addenda = AddendumTally()
        for (index, bytes) in try envelopes().enumerated() {
            let envelope = try Envelope(bytes)
            let verified = try envelope.verified(by: trusted.keys)
            let frame = try StatementFrame(verified)
            let place: ErasureFacts.LedgerPlace?
            if frame.predicateType == KeyChange.predicateType {
                let change = try KeyChange(frame, verified, in: envelope)
                trusted = trusted.changing(change)
                place = change.ledger
            } else if frame.predicateType == Addendum.predicateType {
                let addendum = try Addendum(frame)
                try trusted.check(verified.keys, at: addendum.signedAt)
                try addenda.take(addendum, Hexadecimal.encode(SHA256.hash(bytes)), at: index)
                place = addendum.ledger
            } else {
                let facts = try ErasureStatement(frame).facts
                try trusted.check(verified.keys, at: facts.signedAt)
                try Self.check(facts, index, &plans)
                addenda.take(
                    statement: Hexadecimal.encode(SHA256.hash(bytes)), of: facts.run.id)
                place = facts.ledger
            }
            guard let place, place.index == index,
                place.previousRoot == Hexadecimal.encode(tree.root)
            else {
                throw EvidenceError(
                    .ledger, "entry \(index) does not refer to the entries before it")
            }
            tree.append(bytes)
            leaves.append(MerkleTree.leaf(bytes))
        }
        if let kept { try check(kept, leaves, tree.root) }
        return (tree.count, tree.root)
    }

    /// Refuses a plan that another run was approved for.
    ///
    /// - Parameter plans: The plans so far, and whose they are.
    private static func check(
        _ facts: ErasureFacts, _ index: Int, _ plans: inout [String: String]
    ) throws(EvidenceError) {
        guard let plan = facts.plan, plan.approvedAt != nil else { return }
        let run = facts.run.id
        guard plans.updateValue(run, forKey: plan.digest) ?? run == run else {
            throw EvidenceError(.ledger, "entry \(index) uses a plan a second time")
        }
    }

    private func check(
        _ kept: Checkpoint, _ leaves: [[UInt8]], _ root: [UInt8]
    ) throws(EvidenceError) {
        guard kept.size <= leaves.count else {
            throw EvidenceError(
                .ledger,
                "the ledger has \(leaves.count) entries, and had \(kept.size): it was truncated")
        }
        guard kept.size > 0 else { return }
        let path = MerkleProof.consistency(from: kept.size, in: leaves)
        guard
            MerkleProof.isConsistent(kept.size, kept.root, with: leaves.count, root, by: path)
        else {
            throw EvidenceError(.ledger, "the ledger differs from the one of the checkpoint")
        }
    }
}
