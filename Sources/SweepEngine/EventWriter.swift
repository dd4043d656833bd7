import CloudModel
import DeletionPlanning
import JSON
import Journal

/// Makes the events of the evidence chain: canonical JSON that names zones and people only by
/// keyed digests, and records not at all.
struct EventWriter: Sendable {
    let environment: Container.Environment
    let pseudonyms: Pseudonyms
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

    func intent(of step: DeletionStep, _ row: StepRow) -> [UInt8] {
        var fields: [(String, EventValue)] = [
            ("container", .text(step.container.rawValue)),
            ("database", .text(step.scope.rawValue)),
            ("kind", .text(step.seenKind.coverage(in: step.scope).rawValue)),
            ("items", .number(Int64(step.itemCount))),
            ("line", .text(pseudonyms.digest(of: row.line))),
            ("step", .number(Int64(row.number))),
        ]
        if case .zones(let zones) = step.work {
            fields.append(
                (
                    "zones",
                    .list(
                        zones.map {
                            .text(pseudonyms.zone($0.zoneName, in: step.container, environment))
                        })
                ))
        }
        return event("intent", fields)
    }

    func outcome(
        of step: DeletionStep, _ row: StepRow, _ state: StepState, _ outcome: StepOutcome
    ) -> [UInt8] {
        event(
            "outcome",
            [
                ("alreadyGone", .number(Int64(outcome.alreadyGone))),
                ("deleted", .number(Int64(outcome.deleted))),
                ("failed", .number(Int64(outcome.failed))),
                ("requests", .number(Int64(outcome.attempts))),
                ("state", .text("\(state)")),
                ("step", .number(Int64(row.number))),
            ])
    }
}

/// A value in an event.
indirect enum EventValue: Sendable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case list([EventValue])
    case object([(String, EventValue)])

    func write(to writer: inout JSONWriter) {
        switch self {
        case .text(let text): writer.string(text)
        case .number(let number): writer.int64(number)
        case .flag(let flag): writer.bool(flag)
        case .list(let values):
            writer.beginArray()
            for value in values { value.write(to: &writer) }
            writer.endArray()
        case .object(let fields):
            writer.beginObject()
            for (key, value) in fields.sorted(by: { $0.0 < $1.0 }) {
                writer.key(key)
                value.write(to: &writer)
            }
            writer.endObject()
        }
    }
}
