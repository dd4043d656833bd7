import Basics
import CloudModel
import DeletionPlanning
import Evidence
import JSON
import Journal

/// Makes the events of the evidence chain: canonical JSON that names zones and people only by
/// keyed digests, and records not at all.
struct EventWriter: Sendable {
    let environment: Container.Environment
    let caseKey: CaseKey
    let wallClock: WallClock

    /// An event with these fields beside its name and time.
    func event(_ name: String, _ fields: [(String, EventValue)] = []) -> [UInt8] {
        let all =
            fields + [
                ("at", .number(wallClock.now.milliseconds)), ("event", .text(name)),
            ]
        var writer = JSONWriter()
        writer.beginObject()
        for (key, value) in all.sorted(by: { $0.0 < $1.0 }) {
            writer.key(key)
            value.write(to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    /// What became of a step; its zones by keyed digests.
    func outcome(
        of step: DeletionStep, _ row: StepRow, _ state: StepState, _ outcome: StepOutcome
    ) -> [UInt8] {
        let counts = outcome.counts
        var fields: [(String, EventValue)] = [
            ("alreadyGone", .number(Int64(counts.alreadyGone))),
            ("container", .text(step.container.rawValue)),
            // The default zone as a whole is no thing of its row: its records are.
            ("counted", .flag(step.itemKind != .defaultZone)),
            ("database", .text(step.scope.rawValue)),
            ("deleted", .number(Int64(counts.deleted))),
            ("failed", .number(Int64(counts.failed))),
            ("items", .number(Int64(step.itemCount))),
            ("kind", .text(Places.kind(of: step.itemKind, in: step.scope)?.rawValue ?? "")),
            ("line", .text(caseKey.digest(of: row.line))),
            ("requests", .number(Int64(outcome.attempts))),
            ("state", .text("\(state)")),
            ("step", .number(Int64(row.number))),
        ]
        if case .zones(let zones) = step.work {
            let names = zones.map {
                EventValue.text(caseKey.zone($0.qualifiedName, in: step.container, environment))
            }
            fields.append(("zones", .list(names)))
        }
        return event("outcome", fields)
    }

    /// What one pass of the proof found, and by which questions.
    func event(of pass: VerificationPass, donations: Bool) -> [UInt8] {
        let methods =
            [
                "users/caller", "zones/list", "changes/database", "changes/zone", "records/query",
                "records/lookup", "subscriptions/list", "subscriptions/lookup",
            ] + (donations ? ["donations linked"] : [])
        return event(
            "verification",
            [
                ("began", .number(pass.began.milliseconds)), ("left", .number(Int64(pass.left))),
                ("methods", .list(methods.map { .text($0) })),
                ("pass", .number(Int64(pass.number))),
                ("requests", .number(Int64(pass.requests))),
                ("unread", .number(Int64(pass.unread))),
            ])
    }
}
