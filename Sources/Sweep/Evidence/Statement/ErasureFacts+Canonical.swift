import Basics
import CloudModel

extension ErasureFacts {
    /// The most rows that one statement has.
    package static let rowsMax = 100_000

    /// The sums of all rows.
    package var counts: EvidenceCounts { coverage.reduce(EvidenceCounts()) { $0 + $1.counts } }

    /// The predicate with its verdict.
    func predicate(_ verdict: Verdict) -> CanonicalValue {
        // Named parts with written types: as one expression this takes the compiler 20 seconds.
        let skew: CanonicalValue =
            clockSkew.map {
                .object([("first", .number($0.first)), ("last", .number($0.last))])
            } ?? .absent
        let identities: [CanonicalValue] = containers.map {
            .object([("identifier", .text($0.identifier)), ("user", .text($0.user))])
        }
        let rule: CanonicalValue = .object([
            ("clean", .number(Int64(passRule.clean))),
            ("pauseMilliseconds", .number(passRule.pauseMilliseconds)),
        ])
        let tool: CanonicalValue = .object([
            ("build", .optional(toolBuild)), ("name", .text("cksweep")),
            ("version", .text(toolVersion)),
        ])
        let members: [(String, CanonicalValue)] = [
            ("allowedPartial", .flag(allowedPartial)), ("clockSkewMilliseconds", skew),
            ("containers", .list(identities)), ("continues", .optional(continues)),
            ("counts", .object(counts.members)), ("coverage", .list(coverage.map(\.canonical))),
            ("databases", .list(databases.map { .text($0) })),
            ("environment", .text(environment)), ("events", events.canonical),
            ("failures", .number(Int64(failures))), ("ledger", ledger?.canonical ?? .absent),
            ("passRule", rule), ("passes", .list(passes.map(\.canonical))),
            ("plan", plan?.canonical ?? .absent), ("pseudonymKey", .text(pseudonymKey)),
            ("request", request?.canonical ?? .absent), ("requests", .number(Int64(requests))),
            ("retries", .number(Int64(retries))), ("run", run.canonical),
            ("service", service.canonical), ("signedAt", .number(signedAt.milliseconds)),
            ("tool", tool), ("verdict", .text(verdict.rawValue)),
        ]
        return .object(members)
    }

    /// Reads a predicate, whose totals must be the sums of its rows (R3).
    ///
    /// - Throws: `fields`, `totals`, `rehearsal`.
    static func read(
        _ members: consuming Members
    ) throws(EvidenceError) -> (facts: ErasureFacts, verdict: Verdict) {
        let verdict = try members.word("verdict", Verdict.self)
        var tool = try members.object("tool")
        guard try tool.text("name") == "cksweep" else {
            throw EvidenceError(.fields, "another tool than cksweep made it")
        }
        var rule = try members.object("passRule")
        var totals = try members.object("counts")
        let sums = try EvidenceCounts(&totals)
        try totals.finish()
        var databases: [String] = []
        for value in try members.list("databases") {
            guard case .text(let name) = value else {
                throw EvidenceError(.fields, "a database is not a string")
            }
            databases.append(name)
        }
        var facts = ErasureFacts(
            run: try Run(members.object("run")), signedAt: try members.time("signedAt"),
            toolVersion: try tool.text("version"), toolBuild: try tool.optionalDigest("build"),
            clockSkew: try members.optionalObject("clockSkewMilliseconds")
                .map(ClockSkew.init(reading:)),
            service: try ServiceFacts(members.object("service")),
            environment: try members.text("environment"),
            containers: try members.objects("containers") { subject throws(EvidenceError) in
                Subject(
                    identifier: try subject.text("identifier"), user: try subject.text("user"))
            }, databases: databases,
            coverage: try members.objects("coverage") { row throws(EvidenceError) in
                try EvidenceRow(&row)
            }, plan: try members.optionalObject("plan").map(Plan.init(reading:)),
            requests: try members.count("requests"), retries: try members.count("retries"),
            passes: try members.objects("passes") { pass throws(EvidenceError) in
                try EvidencePass(&pass)
            },
            passRule: PassRule(
                clean: try rule.count("clean"),
                pauseMilliseconds: Int64(try rule.count("pauseMilliseconds"))),
            allowedPartial: try members.flag("allowedPartial"),
            failures: try members.count("failures"),
            events: try EventDigest(members.object("events")),
            ledger: try members.optionalObject("ledger").map(LedgerPlace.init(reading:)),
            continues: try members.optionalDigest("continues"),
            pseudonymKey: try members.digest("pseudonymKey"))
        facts.request = try members.optionalObject("request").map(Request.init(reading:))
        try tool.finish()
        try rule.finish()
        try members.finish()
        guard facts.coverage.count <= rowsMax else {
            throw EvidenceError(.tooLarge, "more than \(rowsMax) rows")
        }
        guard facts.counts == sums else {
            throw EvidenceError(.totals, "R3: the totals are not the sums of the rows")
        }
        return (facts, verdict)
    }
}

extension ErasureFacts.Run {
    fileprivate var canonical: CanonicalValue {
        .object([
            ("beganAt", .number(beganAt.milliseconds)),
            ("endedAt", .number(endedAt.milliseconds)),
            ("exitStatus", .number(Int64(exitStatus))), ("id", .text(id)),
            ("nonce", .text(nonce)), ("verb", .text(verb)),
        ])
    }

    fileprivate init(_ members: consuming Members) throws(EvidenceError) {
        self.init(
            id: try members.text("id"), verb: try members.text("verb"),
            nonce: try members.digest("nonce", bytes: 16), beganAt: try members.time("beganAt"),
            endedAt: try members.time("endedAt"), exitStatus: try members.count("exitStatus"))
        try members.finish()
    }
}

extension ErasureFacts.Plan {
    fileprivate var canonical: CanonicalValue {
        .object([
            ("approvals", approvals?.canonical ?? .absent),
            ("approvedAt", .optional(approvedAt?.milliseconds)),
            ("createdAt", .number(createdAt.milliseconds)), ("digest", .text(digest)),
            ("expiresAt", .number(expiresAt.milliseconds)), ("nonce", .text(nonce)),
            ("steps", .number(Int64(steps))),
        ])
    }

    fileprivate init(reading members: consuming Members) throws(EvidenceError) {
        self.init(
            digest: try members.digest("digest"), nonce: try members.digest("nonce", bytes: 16),
            createdAt: try members.time("createdAt"), expiresAt: try members.time("expiresAt"),
            steps: try members.count("steps"), approvedAt: try members.optionalTime("approvedAt"))
        approvals = try members.optionalObject("approvals")
            .map(ErasureFacts.Approvals.init(reading:))
        try members.finish()
    }
}

extension ErasureFacts.Approvals {
    fileprivate var canonical: CanonicalValue {
        .object([
            (
                "by",
                .list(
                    by.map {
                        .object([("envelope", .text($0.envelope)), ("key", .text($0.key))])
                    })
            ), ("needed", .number(Int64(needed))),
        ])
    }

    fileprivate init(reading members: consuming Members) throws(EvidenceError) {
        self.init(
            needed: try members.count("needed"),
            by: try members.objects("by") { signature throws(EvidenceError) in
                Signature(
                    key: try signature.digest("key"), envelope: try signature.digest("envelope"))
            })
        try members.finish()
    }
}

extension ErasureFacts.Request {
    fileprivate var canonical: CanonicalValue {
        .object([
            ("due", .text(due)), ("received", .text(receivedOn)), ("regime", .text(regime)),
        ])
    }

    fileprivate init(reading members: consuming Members) throws(EvidenceError) {
        self.init(
            receivedOn: try Self.day(&members, "received"), due: try Self.day(&members, "due"),
            regime: try members.text("regime"))
        try members.finish()
        guard (1...16).contains(regime.utf8.count),
            regime.utf8.allSatisfy({ (0x61...0x7A).contains($0) })
        else { throw EvidenceError(.fields, "the law of the request is unknown") }
        guard receivedOn <= due else {
            throw EvidenceError(.times, "R11: the request was due before it was received")
        }
    }

    private static func day(
        _ members: inout Members, _ key: String
    ) throws(EvidenceError) -> String {
        let text = try members.text(key)
        // A day that the calendar does not have is another one when it is written again.
        let midnight = text + "T00:00:00Z"
        guard Timestamp(iso8601: midnight)?.iso8601 == midnight else {
            throw EvidenceError(.fields, "the request's \"\(key)\" is not a date")
        }
        return text
    }
}

extension ErasureFacts.LedgerPlace {
    var canonical: CanonicalValue {
        .object([
            ("index", .number(Int64(index))), ("origin", .text(origin)),
            ("previousRoot", .text(previousRoot)),
        ])
    }

    init(reading members: consuming Members) throws(EvidenceError) {
        self.init(
            origin: try members.text("origin"), index: try members.count("index"),
            previousRoot: try members.digest("previousRoot"))
        try members.finish()
    }
}

extension ClockSkew {
    fileprivate init(reading members: consuming Members) throws(EvidenceError) {
        self.init(first: try members.integer("first"), last: try members.integer("last"))
        try members.finish()
    }
}
