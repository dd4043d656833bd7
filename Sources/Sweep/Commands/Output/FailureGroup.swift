import CloudModel
import CommandLine
import SweepEngine

/// Failures that one thing is the cause of, so that it is said once.
struct FailureGroup: Sendable {
    /// What they have in common.
    private struct Cause: Hashable {
        let code: CloudError.Code
        let reason: String

        /// A lost connection is one cause, whichever part of it was told where it ended.
        init(_ failure: SweepReport.Failure) {
            code = failure.code
            reason =
                failure.code.isServiceCode
                ? failure.reason : String(failure.reason.split(separator: " (").first ?? "")
        }

        var words: String {
            reason.isEmpty ? code.rawValue : "\(code.rawValue): \(Visible.text(reason))"
        }
    }

    /// A kind of thing in one database.
    private struct Spot: Hashable {
        let container: Container.ID
        let scope: Database.Scope
        let kind: CoverageRow.Kind

        init(_ failure: SweepReport.Failure) {
            container = failure.container
            scope = failure.scope
            kind = failure.kind
        }
    }

    private let cause: Cause
    private var failures: [SweepReport.Failure] = []

    /// The groups in the order of their first failures.
    static func all(of failures: [SweepReport.Failure]) -> [FailureGroup] {
        var places: [Cause: Int] = [:]
        var groups: [FailureGroup] = []
        for failure in failures {
            let cause = Cause(failure)
            let place = places[cause] ?? groups.count
            if place == groups.count { groups.append(FailureGroup(cause: cause)) }
            places[cause] = place
            groups[place].failures.append(failure)
        }
        return groups
    }

    private init(cause: Cause) { self.cause = cause }

    /// Where they are, in the order of their first failures, and what is known by name there.
    private var spots: [(spot: Spot, names: [String], count: Int)] {
        var places: [Spot: Int] = [:]
        var spots: [(spot: Spot, names: [String], count: Int)] = []
        for failure in failures {
            let spot = Spot(failure)
            let place = places[spot] ?? spots.count
            if place == spots.count { spots.append((spot, [], 0)) }
            places[spot] = place
            spots[place].count += 1
            if let name = failure.name { spots[place].names.append("\"\(Visible.text(name))\"") }
        }
        return spots
    }

    /// `private custom zones "Notes" of iCloud.com.example.app: QUOTA_EXCEEDED: over quota`, or `6 in
    /// 4 places of 3 containers: …`
    var words: String {
        let spots = spots
        if spots.count == 1, let only = spots.first {
            let name =
                only.count == 1
                ? only.names.first.map { " \($0)" } ?? ""
                : " (\(TextTable.grouped(only.count)))"
            return "\(only.spot.kind.words(in: only.spot.scope))\(name) of "
                + "\(only.spot.container): \(cause.words)"
        }
        let containers = Set(spots.map(\.spot.container))
        let whose =
            containers.count == 1
            ? failures[0].container.rawValue : Counts.some(containers.count, "container")
        return "\(TextTable.grouped(failures.count)) in \(spots.count) locations of \(whose): "
            + cause.words
    }

    /// The cause, and below it each place with the names that failed there.
    func lines(_ style: Style, indent: Int) -> [String] {
        style.paragraph(cause.words, .bad, indent: indent)
            + spots.flatMap { spot, names, count in
                let unnamed = count - names.count
                let rest =
                    unnamed == 0 || names.isEmpty ? "" : " and \(TextTable.grouped(unnamed)) more"
                let what = names.isEmpty ? "" : ": \(names.joined(separator: ", "))\(rest)"
                return style.paragraph(
                    "\(spot.kind.words(in: spot.scope)) of \(spot.container)\(what)",
                    indent: indent + 2)
            }
    }
}

extension CoverageRow.Kind {
    /// `private custom zones`; `public records` and not `public public records`.
    func words(in scope: Database.Scope) -> String {
        rawValue.hasPrefix(scope.rawValue) ? rawValue : "\(scope.rawValue) \(rawValue)"
    }
}
