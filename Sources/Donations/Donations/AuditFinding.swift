/// One habit of an app that leaves donations behind or makes them worthless. It names types and
/// numbers, nothing of the user's.
package struct AuditFinding: Sendable, Hashable {
    /// The mistakes that are looked for.
    package enum Code: String, Sendable, CaseIterable {
        /// M1: donated, and nothing was ever deleted.
        case neverDeleted
        /// M1: no key by which the app could delete it.
        case noKey
        /// M2: deletions by keys that no donation has.
        case keyMismatch
        /// F5: two donations of one act.
        case repeatedAction
        /// M13: donations that tell of no act, although others do.
        case withoutAction
        /// M13: the same thing many times within a second.
        case loop
        /// M5: strongly related to something that is not indexed.
        case itemMissing
        /// M9: refusals that somebody should look at.
        case outcomesIgnored
        /// R15: from other devices, and out of sight because their item is not indexed here.
        case waitingForItem
    }

    package let code: Code
    package let kind: DonationKind?
    package let type: String?
    package let rows: Int

    package init(_ code: Code, kind: DonationKind? = nil, type: String? = nil, rows: Int) {
        self.code = code
        self.kind = kind
        self.type = type
        self.rows = rows
    }

    /// What it means and what to do about it.
    package var advice: String {
        switch code {
        case .neverDeleted:
            "no donation was ever deleted; delete donations when their content, chat or account "
                + "is deleted"
        case .noKey:
            "have no key that a deletion could name; set a group, a persistent identifier or a "
                + "related item"
        case .keyMismatch:
            "deletions named identifiers and removed nothing; compare the keys of donations and "
                + "deletions"
        case .repeatedAction: "actions were donated more than once; donate each action once"
        case .withoutAction: "donations describe no user action; donate only what the user did"
        case .loop:
            "donations arrived five or more of a kind within a second; donate when the user "
                + "acts, not in loops or when a view appears"
        case .itemMissing:
            "activities were refused because the related item is not indexed; index it first, or "
                + "use the weak relation"
        case .outcomesIgnored: "calls were refused; check their results"
        case .waitingForItem:
            "rows of activities from other devices are not shown because their item is not indexed "
                + "here; index it, or delete them"
        }
    }
}

/// Finds habits that leave donations behind.
package enum DonationAudit {
    /// The findings, the most rows first within each code, codes in the order of the enumeration.
    package static func findings(_ facts: AuditFacts) -> [AuditFinding] {
        let subjects = facts.subjects.sorted { ($1.rows, $0.type) < ($0.rows, $1.type) }
        let reportsActions = subjects.contains { $0.withAction > 0 }
        var findings: [AuditFinding] = []
        func add(_ code: AuditFinding.Code, _ rows: (AuditSubject) -> Int) {
            for subject in subjects where rows(subject) > 0 {
                findings.append(
                    AuditFinding(
                        code, kind: subject.kind, type: subject.type, rows: rows(subject)))
            }
        }
        if facts.deletions == 0 { add(.neverDeleted) { $0.rows } }
        add(.noKey) { $0.withoutKey }
        if facts.emptyDeletions > 0 {
            findings.append(AuditFinding(.keyMismatch, rows: facts.emptyDeletions))
        }
        add(.repeatedAction) { $0.repeatedActions }
        if reportsActions {
            add(.withoutAction) { $0.kind == .searchableItem ? 0 : $0.rows - $0.withAction }
        }
        add(.loop) { $0.inLoops }
        let missing = facts.refusals[.refusedItemMissing] ?? 0
        if missing > 0 { findings.append(AuditFinding(.itemMissing, rows: missing)) }
        let ignored = facts.refusals.values.reduce(0, +) - missing
        if ignored > 0 { findings.append(AuditFinding(.outcomesIgnored, rows: ignored)) }
        if facts.parked > 0 { findings.append(AuditFinding(.waitingForItem, rows: facts.parked)) }
        return findings
    }

    /// Whether an identifier is the default one that `INInteraction` makes: a UUID in upper case.
    package static func isDefaultIdentifier(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.indices.allSatisfy { index in
            switch bytes[index] {
            case 0x2D: [8, 13, 18, 23].contains(index)
            case 0x30...0x39, 0x41...0x46: ![8, 13, 18, 23].contains(index)
            default: false
            }
        }
    }
}
