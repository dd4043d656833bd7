import CommandLine
import Donations

/// Donations, receipts and outcomes in words and as events.
enum DonationText {
    /// `3 interactions, 1 activity`
    static func counts(_ counts: [DonationKind: Int]) -> String {
        let parts = DonationKind.allCases.compactMap { kind -> String? in
            guard let count = counts[kind], count > 0 else { return nil }
            return "\(TextTable.grouped(count)) \(noun(kind, count))"
        }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }

    static func noun(_ kind: DonationKind, _ count: Int) -> String {
        let (one, many) =
            switch kind {
            case .interaction: ("interaction", "interactions")
            case .activity: ("activity event", "activity events")
            case .savedActivity: ("saved activity", "saved activities")
            case .searchableItem: ("searchable item", "searchable items")
            case .appIntent: ("App Intents record", "App Intents records")
            case .relevantShortcut: ("relevant shortcut", "relevant shortcuts")
            case .shortcutSuggestion: ("shortcut suggestion", "shortcut suggestions")
            case .voiceShortcut: ("voice shortcut", "voice shortcuts")
            case .vocabulary: ("vocabulary entry", "vocabulary entries")
            case .upcomingMedia: ("upcoming media intent", "upcoming media intents")
            case .setting: ("setting", "settings")
            }
        return count == 1 ? one : many
    }

    static func words(_ rule: DonationReceipt.Rule) -> String {
        switch rule {
        case .direct: "named by the selector"
        case .relatedItem: "its item is deleted"
        case .persistentIdentifier: "has that persistent identifier"
        case .domain: "in that domain or a subdomain"
        case .allItemsInteractions: "deleted with all items"
        case .expiry: "has expired"
        case .content: "linked to that content"
        case .savedActivity: "event of an expired activity"
        case .mention: "mentions it"
        case .canonicallyEqual: "the same letters, encoded differently"
        case .otherKey: "matches another kind of identifier"
        }
    }

    static func words(_ note: DonationReceipt.Note) -> String {
        let count = TextTable.grouped(note.rows)
        let isOne = note.rows == 1
        let stay = isOne ? "stays" : "stay"
        let activities = isOne ? "activity" : "activities"
        return switch note.remark {
        case .siriInteractions:
            "\(Counts.some(note.rows, "interaction")) that Siri recorded for the app \(stay)"
        case .unrelatedActivities:
            "\(count) \(activities) that \(isOne ? "belongs" : "belong") to no item \(stay)"
        case .voiceShortcuts:
            "\(Counts.some(note.rows, "voice shortcut")) \(stay): only their user can remove "
                + (isOne ? "it" : "them")
        case .activitiesOfDomain:
            "\(count) \(activities) \(isOne ? "has" : "have") the domain "
                + "\(isOne ? "itself" : "themselves") and \(stay): the selector names one index"
        case .publicParts:
            "\(count) \(isOne ? "was" : "were") public; copies that left the device cannot be "
                + "deleted"
        case .recentResults: "the system may still show what was tapped recently"
        case .delegateSilent: "the app's delegate was asked about them and did not reply in time"
        }
    }

    /// The receipt in lines; no identifier is in it.
    static func lines(_ receipt: DonationReceipt, done: Bool, _ style: Style) -> [String] {
        var totals: [DonationKind: Int] = [:]
        for count in receipt.counts { totals[count.kind, default: 0] += count.rows }
        let headline = (done ? "DELETED: " : "WOULD GO: ") + counts(totals)
        var lines = [style.text(headline, receipt.removedCount == 0 ? .plain : .strong)]
        var table = TextTable(indent: 2)
        for count in receipt.counts {
            table.add([
                .number(count.rows), .init(noun(count.kind, count.rows)),
                .init(words(count.rule), .faint),
            ])
        }
        lines += table.lines(style)
        if receipt.unmatchedCount > 0 {
            let noun = receipt.unmatchedCount == 1 ? "identifier" : "identifiers"
            lines.append(
                style.text(
                    "\(TextTable.grouped(receipt.unmatchedCount)) \(noun) matched nothing",
                    .caution))
        }
        var misses: [DonationReceipt.Entry: Int] = [:]
        for miss in receipt.nearMisses {
            misses[.init(kind: miss.kind, identifierDigest: "", rule: miss.rule), default: 0] += 1
        }
        for (miss, count) in misses.sorted(by: {
            ($0.key.kind.rawValue, $0.key.rule.rawValue) < (
                $1.key.kind.rawValue, $1.key.rule.rawValue
            )
        }) {
            lines.append(
                "  near miss: \(TextTable.grouped(count)) \(noun(miss.kind, count)): "
                    + words(miss.rule))
        }
        if receipt.scrubbedCount > 0 {
            lines.append(
                Counts.some(receipt.scrubbedCount, "interaction")
                    + (done ? " lost" : " would lose") + " the activity in the response")
        }
        lines += receipt.notes.map { words($0) }
        lines.append("stays: " + counts(receipt.kept))
        return lines
    }

    /// The receipt's facts.
    static func event(_ receipt: DonationReceipt, named name: String) -> Event {
        let counts = receipt.counts.map { count in
            Event.Value.object([
                .init("kind", count.kind.rawValue), .init("rule", count.rule.rawValue),
                .init("rows", count.rows),
            ])
        }
        let notes = receipt.notes.map { note in
            Event.Value.object([
                .init("remark", note.remark.rawValue), .init("rows", note.rows),
            ])
        }
        return Event(
            name,
            [
                .init("selector", receipt.selector.kind.rawValue),
                .init("scope", receipt.scope.rawValue), .init("rows", receipt.removedCount),
                .init("counts", .list(counts)), .init("removed", .list(entries(receipt.removed))),
                .init("isComplete", receipt.isComplete),
                .init("unmatched", receipt.unmatchedCount),
                .init("nearMisses", .list(entries(receipt.nearMisses))),
                .init("scrubbed", receipt.scrubbedCount), .init("public", receipt.publicRows),
                .init("kept", .object(kept(receipt.kept))), .init("notes", .list(notes)),
                .init("journal", Int(receipt.journalSequence)),
            ])
    }

    static func kept(_ counts: [DonationKind: Int]) -> [Event.Field] {
        DonationKind.allCases.compactMap { kind in
            counts[kind].map { Event.Field(kind.rawValue, $0) }
        }
    }

    static func entries(_ entries: [DonationReceipt.Entry]) -> [Event.Value] {
        entries.map { entry in
            .object([
                .init("kind", entry.kind.rawValue), .init("digest", entry.identifierDigest),
                .init("rule", entry.rule.rawValue), .init("wasPublic", entry.wasPublic),
            ])
        }
    }
}
