import CloudModel
package import SweepEngine

/// What happens during a sweep, for programs.
package enum SweepEvents {
    /// The event as a line of `--json`; nil for what only a live line shows.
    package static func event(_ event: SweepEvent) -> Event? {
        switch event {
        case .phaseBegan(let phase):
            Event("phase_began", [.init("phase", phase.rawValue)])
        case .phaseEnded(let phase, let took):
            Event(
                "phase_ended",
                [
                    .init("phase", phase.rawValue),
                    .init("milliseconds", Int(DurationText.milliseconds(took))),
                ])
        case .discovered(let container, let scope, let kind, let found):
            Event("discovered", place(container, scope, kind) + [.init("found", found)])
        case .unlisted(let row):
            Event("unlisted", ReportEvents.rowFields(row))
        case .planned(let facts):
            Event("planned", ReportEvents.planFields(facts))
        case .approved(let run):
            Event("approved", [.init("run", run)])
        case .stepBegan(let step):
            Event(
                "delete_started",
                place(step.container, step.scope, step.kind) + [.init("items", step.items)])
        case .stepEnded(let step, let counts):
            Event(
                counts.failed > 0 ? "delete_failed" : "delete_ok",
                place(step.container, step.scope, step.kind) + [
                    .init("items", step.items), .init("deleted", counts.deleted),
                    .init("alreadyGone", counts.alreadyGone), .init("failed", counts.failed),
                ])
        case .waiting(let container, let scope, let code, let wait, let attempt):
            Event(
                "retry_wait",
                [
                    .init("container", container.rawValue), .init("database", scope.rawValue),
                    .init("code", code.rawValue),
                    .init("milliseconds", Int(DurationText.milliseconds(wait))),
                    .init("attempt", attempt),
                ])
        case .passEnded(let pass):
            Event("verified", ReportEvents.passFields(pass))
        case .leftover(let row):
            Event("leftover", ReportEvents.rowFields(row))
        case .progress:
            nil
        }
    }

    private static func place(
        _ container: Container.ID, _ scope: Database.Scope, _ kind: CoverageRow.Kind
    ) -> [Event.Field] {
        [
            .init("container", container.rawValue), .init("database", scope.rawValue),
            .init("what", kind.rawValue),
        ]
    }
}
