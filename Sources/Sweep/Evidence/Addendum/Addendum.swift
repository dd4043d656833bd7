package import Basics
package import OpenSSL

/// What is signed about a run after its statement: that somebody looked again, that access was
/// restricted, that a hook was told. The predicate
/// `https://cksweep.dev/attestation/addendum/v1`.
///
/// It never replaces the statement, and has no verdict of its own about the erasure. Each stands on the
/// statement, by the digest of its file, and on the addendum before it.
package struct Addendum: Sendable, Hashable {
    package static let predicateType = "https://cksweep.dev/attestation/addendum/v1"
    /// Addenda of one run.
    package static let countMax = 10_000

    /// What happened.
    package enum Content: Sendable, Hashable {
        case look(LookFacts)
        case access(AccessFacts)
        case hook(HookFacts)
    }

    /// The ID of the run.
    package let run: String
    /// SHA-256 of the file with the run's statement, in hexadecimal.
    package let statement: String
    /// Counts from 1, run by run.
    package let number: Int
    /// SHA-256 of the file of the addendum before it; nil for the first.
    package let previous: String?
    package let signedAt: Timestamp
    package let toolVersion: String
    /// nil where nobody signs.
    package let ledger: ErasureFacts.LedgerPlace?
    package let content: Content

    package init(
        run: String, statement: String, number: Int, previous: String?, signedAt: Timestamp,
        toolVersion: String, ledger: ErasureFacts.LedgerPlace?, content: Content
    ) {
        self.run = run
        self.statement = statement
        self.number = number
        self.previous = previous
        self.signedAt = signedAt
        self.toolVersion = toolVersion
        self.ledger = ledger
        self.content = content
    }

    // MARK: Signing

    /// The statement's bytes: canonical JSON.
    package var bytes: [UInt8] {
        StatementFrame(Self.predicateType, subjects, predicate).bytes
    }

    /// The addendum, signed.
    package func signed(by keys: [SigningKey]) throws(OpenSSLError) -> Envelope {
        try Envelope(signing: bytes, by: keys)
    }

    private var subjects: [StatementFrame.Subject] {
        [StatementFrame.Subject(name: "statement", digest: statement)]
    }

    private var predicate: CanonicalValue {
        let happened: (String, CanonicalValue) =
            switch content {
            case .look(let look): ("look", look.canonical)
            case .access(let access): ("access", access.canonical)
            case .hook(let hook): ("hook", hook.canonical)
            }
        return .object([
            happened, ("ledger", ledger?.canonical ?? .absent), ("number", .number(Int64(number))),
            ("previous", .optional(previous)), ("run", .text(run)),
            ("signedAt", .number(signedAt.milliseconds)), ("statement", .text(statement)),
            ("tool", .object([("name", .text("cksweep")), ("version", .text(toolVersion))])),
        ])
    }

    // MARK: Checking

    /// Reads what keys that the caller trusts have signed.
    package init(_ verified: Envelope.Verified) throws(EvidenceError) {
        try self.init(StatementFrame(verified))
    }

    init(_ frame: StatementFrame) throws(EvidenceError) {
        var members = try frame.members(of: Self.predicateType)
        var tool = try members.object("tool")
        guard try tool.text("name") == "cksweep" else {
            throw EvidenceError(.fields, "another tool than cksweep made it")
        }
        toolVersion = try tool.text("version")
        try tool.finish()
        run = try members.text("run")
        statement = try members.digest("statement")
        number = try members.count("number")
        previous = try members.optionalDigest("previous")
        signedAt = try members.time("signedAt")
        ledger = try members.optionalObject("ledger").map(
            ErasureFacts.LedgerPlace.init(reading:))
        content = try Self.content(&members)
        try members.finish()
        try frame.check(subjects)
        guard (number == 1) == (previous == nil), number >= 1 else {
            throw EvidenceError(.addendum, "its number does not match its position")
        }
    }

    /// What happened: one thing, and no other beside it.
    private static func content(_ members: inout Members) throws(EvidenceError) -> Content {
        if let look = try members.optionalObject("look") { return .look(try LookFacts(look)) }
        if let hook = try members.optionalObject("hook") { return .hook(try HookFacts(hook)) }
        return .access(try AccessFacts(members.object("access")))
    }
}
