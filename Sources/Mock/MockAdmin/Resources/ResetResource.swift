import Basics
import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockFaults
import MockService
import MockStore

/// Emptying the store.
struct ResetResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "POST", "reset",
            takes: .object([
                "user", "container", "environment", "database", "zone", "also", "to",
            ]),
            answers: ["generation"],
            "empties the store or the named part, or restores a snapshot", reset)
    ]

    /// What a reset empties besides data.
    enum Part: String, CaseIterable {
        case faults, journal, clock, findings
    }

    private func reset() throws(MockError) -> RequestOutcome {
        let scope = ResetScope(
            user: try body.text("user"), container: try body.container(),
            environment: try body.choice("environment"), scope: try body.choice("database"),
            zoneName: try body.text("zone"))
        let also = try body.list("also", of: "faults, journal, clock or findings") {
            Part(rawValue: $0)
        }
        guard let snapshot = try body.text("to") else {
            return try reset(scope, also: also ?? [])
        }
        guard scope == ResetScope() else {
            throw MockError(
                "a snapshot is restored as a whole: \"to\" takes no user, container, "
                    + "environment, database or zone")
        }
        return try restore(snapshot, also: also ?? [])
    }

    private func reset(
        _ scope: ResetScope, also: [Part]
    ) throws(MockError) -> RequestOutcome {
        if let user = scope.user { try admin.requireAccount(user) }
        if let zone = scope.zoneName { try requireZone(zone, in: scope) }
        return .job(ResetJob(scope)) { finish(scope, also) }
    }

    /// Restores a snapshot of the whole store.
    private func restore(
        _ snapshot: String, also: [Part]
    ) throws(MockError) -> RequestOutcome {
        let restore = try storing { () throws(MockStoreError) in try store.restoreJob(snapshot) }
        guard let job = restore else {
            throw MockError(
                status: 404,
                "there is no snapshot \"\(snapshot)\""
                    + NearestName.hint(for: snapshot, among: store.snapshotNames))
        }
        return .job(job) { finish(ResetScope(), also) }
    }

    /// Zones that a refusal names.
    private static let namedZonesMax = 20

    /// Refuses the name of a zone that no database of a scope has.
    private func requireZone(_ name: String, in scope: ResetScope) throws(MockError) {
        // It exists without being created.
        guard name != RecordZone.ID.default.zoneName else { return }
        let known = try storing { () throws(MockStoreError) in
            try store.liveZoneNames(in: scope)
        }
        guard !known.contains(name) else { return }
        let named = known.prefix(Self.namedZonesMax).map { "\"\($0)\"" }
        let others = known.count - named.count
        throw MockError(
            status: 404,
            "zone \"\(name)\" cannot be reset: it does not exist"
                + NearestName.hint(for: name, among: known)
                + (named.isEmpty
                    ? "; there are no zones to reset"
                    : "; zones: " + named.joined(separator: ", ")
                        + (others > 0 ? " and \(others) more" : "")))
    }

    private func finish(_ scope: ResetScope, _ also: [Part]) -> HTTPResponse {
        faults.plan.endAtReset()
        scheduler.releaseAll()
        for part in also {
            switch part {
            case .faults: faults.plan.removeAll()
            case .journal: observers.journal.clear()
            case .clock: clock.reset()
            case .findings: observers.forgetFindings()
            }
        }
        admin.noteReset(scope, clockToo: also.contains(.clock))
        return .object { $0.member("generation", admin.generation) }
    }
}
