import CommandLine
import Configuration
import Evidence

/// What `attest` says of evidence that holds, to people and to programs.
struct AttestationText: Sendable {
    private let attestation: Attestation
    /// The number of the addendum that was asked about; nil: the statement.
    private let addendum: Int?

    init(_ attestation: Attestation, addendum: Int? = nil) {
        self.attestation = attestation
        self.addendum = addendum
    }

    private var facts: ErasureFacts { attestation.statement.facts }
    private var counts: EvidenceCounts { facts.counts }

    /// The number of consecutive clean passes at the end.
    private var cleanPasses: Int { facts.passes.reversed().prefix(while: \.isClean).count }

    private var headline: (word: String, tone: Style.Tone, rest: String) {
        switch attestation.statement.verdict {
        case .complete:
            (
                "COMPLETE", .good,
                counts.kept == 0
                    ? "everything in scope is verified empty"
                    : "everything in scope is verified empty, except \(counts.kept) that rules keep"
            )
        case .partial:
            ("PARTIAL", .bad, "not everything in scope is verified empty")
        case .rehearsal:
            (
                "REHEARSAL", .caution,
                "valid, but not Apple's service: it proves nothing about real data"
            )
        }
    }

    func lines(_ style: Style) -> [String] {
        var table = TextTable(indent: 2)
        func add(_ name: String, _ value: String) {
            table.add([.init(name, .faint), .init(value)])
        }
        add("signed by", attestation.signers.map(\.shortID).joined(separator: ", ") + ", valid")
        add("signed at", facts.signedAt.iso8601)
        add("time stamped by", attestation.stampedAt?.iso8601 ?? "not time stamped")
        add("run", "\(facts.run.id) (\(facts.run.verb))")
        add("service", facts.service.url)
        add("server key", facts.service.keyDigest ?? "unknown")
        if let skew = facts.clockSkew, skew.isNoticeable {
            add("clocks", "the service's clock was \(skew.last / 1000) s ahead of the signer's")
        }
        add("program", facts.toolVersion + (facts.toolBuild.map { ", SHA-256 \($0)" } ?? ""))
        add("environment", facts.environment)
        for container in facts.containers {
            add("container", "\(container.identifier)  (user \(container.user))")
        }
        if let plan = facts.plan { add("plan", plan.digest) }
        if let approvals = facts.plan?.approvals {
            let keys = approvals.by.map { String($0.key.prefix(16)) }
            add(
                "approvals",
                "\(keys.count) of \(approvals.needed) keys: \(keys.joined(separator: ", "))")
        }
        if let request = facts.request {
            add(
                "request",
                "received \(request.receivedOn), due \(request.due) (\(request.regime)), "
                    + "according to the signer")
        }
        add(
            "counts",
            "deleted \(counts.deleted) · already deleted \(counts.alreadyGone) · kept "
                + "\(counts.kept) · failed \(counts.failed) · left \(counts.left)")
        add(
            "passes",
            "\(facts.passes.count), the last \(cleanPasses) clean; required: \(facts.passRule.clean)"
        )
        add(
            "events",
            attestation.hasEvents
                ? "\(facts.events.count), checked" : "\(facts.events.count), not available")
        add(
            "ledger",
            attestation.ledgerSize.map {
                "entry \((facts.ledger?.index ?? 0) + 1) of \($0), checked"
            }
                ?? "not available")
        for added in attestation.addenda {
            add("addendum \(added.number)", AddendumText(added).line)
        }
        let (word, tone, rest) = headline
        var lines = ["\(style.text(word, tone)): \(rest)"]
        if let addendum, attestation.addenda.count == addendum, let last = attestation.addenda.last
        {
            lines.insert(
                style.text("ADDENDUM \(addendum)", .strong) + " to the statement below: "
                    + AddendumText(last).line, at: 0)
        } else if let worst = attestation.addenda.compactMap({ AddendumText($0).alarm }).first {
            lines.append(style.text("SINCE THEN", .bad) + ": \(worst)")
        }
        return lines + table.lines(style)
    }

    /// The keys that signed the plan.
    private var approvers: Event.Value {
        facts.plan?.approvals.map { .list($0.by.map { .text($0.key) }) } ?? .null
    }

    var event: Event {
        Event(
            "attested",
            [
                .init("verdict", attestation.statement.verdict.rawValue),
                .init("run", facts.run.id),
                .init("keys", .list(attestation.signers.map { .text($0.id) })),
                .init("signedAt", facts.signedAt.iso8601),
                .init("stampedAt", attestation.stampedAt?.iso8601),
                .init("server", facts.service.url),
                .init("environment", facts.environment),
                .init("containers", .list(facts.containers.map { .text($0.identifier) })),
                .init("plan", facts.plan?.digest),
                .init("approvals", approvers),
                .init("received", facts.request?.receivedOn), .init("due", facts.request?.due),
                .init("deleted", counts.deleted),
                .init("alreadyGone", counts.alreadyGone), .init("kept", counts.kept),
                .init("failed", counts.failed), .init("left", counts.left),
                .init("eventsChecked", attestation.hasEvents),
                .init("ledgerChecked", attestation.ledgerSize != nil),
                .init("addenda", .list(attestation.addenda.map { AddendumText($0).value })),
            ])
    }
}
