import CloudModel
import DeletionPlanning

/// The proof that a run ended with nothing left: the last passes, all clean, in a row.
///
/// Only ``prove(_:of:places:required:failures:allowPartial:)`` makes one, from passes and nothing
/// else. Exit status 0, the word *complete* in evidence and a signature on a complete statement each
/// take it, so that no status, flag or string can stand in for it.
struct VerifiedEmpty: ~Copyable, Sendable {
    /// What it is about.
    let binding: ProofBinding
    /// How many clean passes in a row it rests on.
    let cleanPasses: Int

    private init(binding: ProofBinding, cleanPasses: Int) {
        self.binding = binding
        self.cleanPasses = cleanPasses
    }

    /// Why there is no proof.
    enum Missing: Error, Sendable, Hashable {
        /// Fewer clean passes in a row than were asked for.
        case passes
        /// A pass was about another person, server, container or environment.
        case otherBinding
        /// A person could not be named.
        case unknownPerson
        /// A place in scope was not read whole.
        case notLookedAt(CoverageRow)
        /// A place cannot be proven, and why.
        case unproven(CoverageRow)
        /// A place that no pass has anything to say about.
        case noFinding(Container.ID, Database.Scope, CoverageRow.Kind)
        /// Deletions that failed, so that something is known to be wrong.
        case failures(Int)
        /// The run was allowed to be partial.
        case allowedPartial
    }

    /// Makes the proof.
    ///
    /// - Parameters:
    ///   - passes: All passes of the run, in order.
    ///   - binding: The person, containers, environment and server that the run began with.
    ///   - places: Every row that is in scope.
    ///   - required: Clean passes in a row that are asked for; at least one.
    ///   - first: What was seen before anything was deleted; nil where nothing was.
    static func prove(
        _ passes: [Pass], of binding: ProofBinding, places: [RowKey],
        containers: [Container.ID], required: Int, first: Inventory?, failures: Int,
        allowPartial: Bool
    ) throws(Missing) -> VerifiedEmpty {
        let required = max(1, required)
        guard passes.count >= required else { throw .passes }
        guard !binding.subjects.isEmpty,
            binding.subjects.allSatisfy({ $0.userPseudonym != SweepRun.unknownPerson })
        else { throw .unknownPerson }
        let last = passes.suffix(required)
        for pass in last {
            guard pass.binding == binding else { throw .otherBinding }
            guard pass.record.isClean, pass.left.isEmpty, pass.keptMissing.isEmpty else {
                throw .passes
            }
        }
        for inventory in last.map(\.inventory) + (first.map { [$0] } ?? []) {
            for key in places { try check(key, in: inventory, containers) }
            if let row = inventory.unread.first { throw .notLookedAt(row) }
        }
        guard failures == 0 else { throw .failures(failures) }
        guard !allowPartial else { throw .allowedPartial }
        return VerifiedEmpty(binding: binding, cleanPasses: required)
    }

    private static func check(
        _ key: RowKey, in inventory: Inventory, _ containers: [Container.ID]
    ) throws(Missing) {
        guard let finding = inventory.findings[key] else {
            throw .noFinding(containers[key.container], key.scope, key.kind)
        }
        if let row = finding.unread.first { throw .notLookedAt(row) }
        if let row = finding.unproven.first { throw .unproven(row) }
        guard finding.isProof else {
            throw .noFinding(containers[key.container], key.scope, key.kind)
        }
    }
}

extension VerifiedEmpty.Missing {
    /// Words for people.
    var reason: String {
        switch self {
        case .passes: "not enough consecutive clean passes"
        case .otherBinding: "a pass was about another user or server"
        case .unknownPerson: "the signed-in user is unknown"
        case .notLookedAt(let row): Self.text(row, "could not be scanned")
        case .unproven(let row): Self.text(row, "cannot be verified")
        case .noFinding(let container, _, let kind):
            "\(kind.rawValue) of \(container) was not scanned"
        case .failures(let count):
            "\(count) \(count == 1 ? "deletion" : "deletions") failed after all retries"
        case .allowedPartial:
            "everything that was listed is deleted and verified empty, but the run was allowed "
                + "to be partial; run \"cksweep verify\" to check for remaining data"
        }
    }

    private static func text(_ row: CoverageRow, _ what: String) -> String {
        let subject = row.subject.map { " (\($0))" } ?? ""
        return "\(row.kind.rawValue)\(subject) of \(row.container) \(what): "
            + (row.reason ?? "the reason is unknown")
    }
}
