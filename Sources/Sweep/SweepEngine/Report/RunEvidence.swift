import Basics
import Evidence
import FileSystem
import Journal
import OpenSSL

/// What can be shown to others of a run, without names of people, zones or records: its events, a file
/// of one a line, and a statement about them. Where the state folder has a key, the statement is signed
/// and stands in the folder's ledger; it says *complete* only with a proof.
struct RunEvidence: Sendable {
    let run: SweepRun
    let report: SweepReport

    private let files = Files(workingFolder: Files.currentFolder)

    init(run: SweepRun, report: SweepReport) {
        self.run = run
        self.report = report
    }

    private var folder: String { "\(run.world.stateFolder)/evidence" }
    private var base: String { "\(folder)/\(run.row.id)" }
    private var path: String { base + ".json" }

    /// What ``write()`` has done.
    enum Outcome {
        /// The statement's path, and the hash of the last event.
        case written(path: String, head: String)
        /// The run has a proof, and its statement would not say complete. Nothing was signed.
        case contradicts(reason: String)
    }

    /// Writes the files.
    func write() async throws(SweepFailure) -> Outcome {
        do {
            try files.makeFolder(folder)
            let (digest, tally) = try await writeEvents()
            let facts = try await EvidenceFacts(run: run, report: report)
                .make(digest, continues: try earlier())
            let statement = try ErasureStatement(facts, tally, provenBy: proof)
            if proof != nil, let reason = contradiction(in: statement) {
                return .contradicts(reason: reason)
            }
            if let key = run.signingKey {
                try sign(facts, tally, key)
            } else {
                try files.write(statement.bytes, to: path, mode: 0o600, replacing: true)
            }
            return .written(path: path, head: digest.chainHead)
        } catch let error as JournalError {
            throw .journal(error)
        } catch {
            throw .journal(
                JournalError(.inputOutput, "cannot write the evidence \(path): \(error)"))
        }
    }

    /// Why a statement does not say what a run with a proof says; nil: it does.
    private func contradiction(in statement: ErasureStatement) -> String? {
        if let shortfall = statement.shortfall { return shortfall }
        guard !run.world.server.isRehearsal, statement.verdict != .complete else { return nil }
        return "the key of the server's certificate is unknown"
    }

    private var proof: ProofSummary? {
        if case .proven(let proof, _) = report.ending { proof } else { nil }
    }

    /// Writes the events, a page at a time. They must be those that the journal has the end of.
    private func writeEvents() async throws -> (digest: EventDigest, tally: EventTally) {
        let chain = try await run.journal.verifyChain(run: run.row.key)
        var file = try WholeFile(base + ".events.jsonl")
        var log = EventLog()
        var next = 0
        while true {
            let page = try await run.journal.events(run: run.row.key, from: next, limit: 100)
            for event in page {
                try log.take(event.body)
                try file.write(event.body + [0x0A])
            }
            guard let last = page.last else { break }
            next = last.number + 1
        }
        let (digest, tally) = log.finish()
        guard digest.chainHead == Hexadecimal.encode(chain.head), digest.count == chain.count
        else { throw JournalError(.chainBroken, "the run's events changed while they were read") }
        try file.finish()
        return (digest, tally)
    }

    /// The digest of what an earlier part of this run signed; nil: nothing.
    private func earlier() throws -> String? {
        guard run.signingKey != nil, files.facts(path) != nil else { return nil }
        return Hexadecimal.encode(SHA256.hash(try files.read(path)))
    }

    private func sign(
        _ facts: ErasureFacts, _ tally: EventTally, _ key: SigningKey
    ) throws(EvidenceError) {
        let entry = try Ledger(folder: folder + "/ledger").append(key) {
            (place) throws(EvidenceError) in
            var facts = facts
            facts.ledger = place
            let statement = try ErasureStatement(facts, tally, provenBy: proof)
            do throws(OpenSSLError) {
                return try statement.signed(by: [key])
            } catch {
                throw EvidenceError(.signature, error.reason)
            }
        }
        do throws(FileError) {
            try files.write(
                entry.proof.bytes, to: base + ".proof", mode: 0o600, replacing: true)
            try files.write(entry.envelope, to: path, mode: 0o600, replacing: true)
        } catch {
            throw EvidenceError(.unreadable, "\(error)")
        }
    }
}
