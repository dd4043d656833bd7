import Basics
import CloudModel
import CommandLine
import Evidence
import FileSystem

/// Reads evidence and what lies beside it, for the verbs that check it.
struct AttestReading {
    static let key = Option(
        "key", value: .file, repeats: true, isNeeded: true,
        "public key in PEM, or file of trusted keys; may be repeated")
    private static let signers = Option(
        "signers", value: .number(1...16),
        "number of different keys that must have signed (default 1)")
    private static let events = Option(
        "events", value: .file, "events of the run (default: those next to FILE, if any)")
    private static let proof = Option(
        "proof", value: .file,
        "proof of the ledger (default: the one next to FILE, if any)")

    private static let token = Option(
        "tsa-token", value: .file,
        "time stamp (default: the one next to FILE, if any)")
    private static let authoritySummary =
        "certificates in PEM that are trusted for time stamps"
    static let authorities = Option("tsa-ca", value: .file, authoritySummary)
    /// The same for a verb that cannot do without it.
    static let neededAuthorities = Option(
        authorities.name, value: .file, isNeeded: true, authoritySummary)

    private static let since = Option(
        "since", value: .file,
        "checkpoint of the ledger that you kept: the proof must not be older")

    static let options = [key, signers, events, proof, since, token, authorities]
    static let positional = Positional(
        .file, .one,
        "the statement, \"evidence/RUN.json\" of a state folder, or an addendum to it")

    /// Bytes of a key file, and of a proof.
    static let smallBytesMax = 1 << 20

    private let arguments: Arguments
    private let files: Files
    private let clock: WallClock
    /// The statement.
    private let path: String
    /// The number of the addendum that was named instead; nil: it was the statement.
    let addendum: Int?

    init(_ arguments: Arguments, in environment: Environment) {
        self.arguments = arguments
        files = environment.files
        clock = environment.wallClock
        let named = arguments.positionals.first ?? ""
        addendum = AddendumFiles.number(of: named)
        path = addendum == nil ? named : AddendumFiles.statement(of: named)
    }

    /// Checks the evidence, and marks what follows as a rehearsal's where it is one.
    ///
    /// - Throws: exit 11 with what does not hold; 2 when a file cannot be read.
    func read(
        _ expectations: Expectations, _ console: Console
    ) throws(CommandFailure) -> Attestation {
        var attestation: Attestation
        do {
            let proof = beside(".proof", Self.proof)
            let statement = try files.read(path, bytesMax: Attestation.envelopeBytesMax)
            let trust = try Self.trust(arguments, files)
            let signers = arguments.number(Self.signers) ?? 1
            attestation = try Attestation(
                envelope: statement,
                events: beside(".events.jsonl", Self.events).map(files.absolute),
                proof: try proof.map { try files.read($0, bytesMax: Self.smallBytesMax) },
                since: try arguments.text(Self.since).map {
                    try files.read($0, bytesMax: Self.smallBytesMax)
                }, trust: trust, stamp: try stamp(), atLeast: signers,
                expecting: expectations)
            var chain = AddendumChain(of: statement, attestation.statement.facts)
            for path in try AddendumFiles.paths(beside: path, in: files, upTo: addendum) {
                try chain.take(
                    files.read(path, bytesMax: Attestation.envelopeBytesMax),
                    proof: try AddendumFiles.proof(of: path, in: files), trust: trust,
                    atLeast: signers)
            }
            attestation.addenda = chain.addenda
        } catch {
            throw CommandFailure(any: error, about: path)
        }
        if attestation.statement.verdict == .rehearsal {
            console.begin(
                at: ServerFacts(url: attestation.statement.facts.service.url, isRehearsal: true))
        }
        return attestation
    }

    /// The path that an option names, else that of a file beside the statement, if it is there.
    private func beside(_ ending: String, _ option: Option) -> String? {
        if let named = arguments.text(option) { return named }
        let beside = Self.stem(path) + ending
        return files.facts(beside) == nil ? nil : beside
    }

    /// A statement's path without its ending: what lies beside it has the same.
    static func stem(_ path: String) -> String {
        path.hasSuffix(".json") ? String(path.dropLast(5)) : path
    }

    /// The time stamp, where the caller says whose word to take.
    ///
    /// - Throws: `timeStamp` when there is none then.
    private func stamp() throws -> TimeStamp.Given? {
        guard let authorities = arguments.text(Self.authorities) else { return nil }
        guard let token = beside(".tsr", Self.token) else {
            throw EvidenceError(.timeStamp, "there is no time stamp next to it")
        }
        return TimeStamp.Given(
            token: try files.read(token, bytesMax: Self.smallBytesMax),
            authorities: try files.read(authorities, bytesMax: Self.smallBytesMax),
            now: clock.now)
    }

    /// The keys that the caller named.
    static func trust(_ arguments: Arguments, _ files: Files) throws -> TrustFile {
        var entries: [TrustFile.Entry] = []
        for path in arguments.texts(key) {
            entries += try TrustFile(try files.read(path, bytesMax: smallBytesMax)).entries
        }
        return TrustFile(entries)
    }
}

extension CommandFailure {
    /// What does not hold about evidence: exit 11, or 2 when it cannot be read at all.
    init(_ error: EvidenceError, about path: String) {
        guard error.code != .unreadable else {
            self.init(.usage, error.reason)
            return
        }
        self.init(
            .evidenceInvalid, "\(path) is invalid: \(error.reason)",
            remedy: error.code == .notAnEnvelope
                ? "statements are signed only after \"cksweep evidence init\" has created a key"
                : nil)
    }

    /// What went wrong while evidence was read: a file, or what it says.
    init(any error: any Error, about path: String) {
        switch error {
        case let error as FileError: self.init(error)
        case let error as EvidenceError: self.init(error, about: path)
        default: self.init(.internalError, "\(error)")
        }
    }
}
