import CloudModel

extension SweepEvent {
    /// What happened as one line of a stream of events, without its end; nil for what only a live
    /// line shows.
    package func jsonLine(_ stamp: EventStamp) -> [UInt8]? {
        described.map { stamp.line($0.name, $0.value) }
    }

    private var described: (name: String, value: EventValue)? {
        switch self {
        case .phaseBegan(let phase):
            ("phase_began", .object([("phase", .text(phase.rawValue))]))
        case .phaseEnded(let phase, let took):
            (
                "phase_ended",
                .object([
                    ("milliseconds", .number(took.wholeMilliseconds)),
                    ("phase", .text(phase.rawValue)),
                ])
            )
        case .discovered(let container, let scope, let kind, let found):
            (
                "discovered",
                .object(
                    Self.place(container, scope, kind) + [("found", .number(Int64(found)))])
            )
        case .unlisted(let row): ("unlisted", Self.row(row))
        case .planned(let facts): ("planned", ReportDescription.plan(facts))
        case .approved(let run): ("approved", .object([("run", .text(run))]))
        case .stepBegan(let step): ("delete_started", Self.step(step, []))
        case .stepEnded(let step, let counts):
            (
                counts.failed > 0 ? "delete_failed" : "delete_ok",
                Self.step(
                    step,
                    [
                        ("alreadyGone", .number(Int64(counts.alreadyGone))),
                        ("deleted", .number(Int64(counts.deleted))),
                        ("failed", .number(Int64(counts.failed))),
                    ])
            )
        case .waiting(let container, let scope, let code, let wait, let attempt, _):
            (
                "retry_wait",
                .object([
                    ("attempt", .number(Int64(attempt))), ("code", .text(code.rawValue)),
                    ("container", .text(container.rawValue)), ("database", .text(scope.rawValue)),
                    ("milliseconds", .number(wait.wholeMilliseconds)),
                ])
            )
        case .passEnded(let pass): ("verified", ReportDescription.pass(pass))
        case .leftover(let row): ("leftover", Self.row(row))
        case .progress: nil
        }
    }

    private static func row(_ row: CoverageRow) -> EventValue {
        ReportDescription.row(row)
    }

    private static func step(
        _ step: StepNotice, _ counts: [(String, EventValue)]
    ) -> EventValue {
        .object(
            place(step.container, step.scope, step.kind)
                + [("items", .number(Int64(step.items)))] + counts)
    }

    private static func place(
        _ container: Container.ID, _ scope: Database.Scope, _ kind: CoverageRow.Kind
    ) -> [(String, EventValue)] {
        [
            ("container", .text(container.rawValue)), ("database", .text(scope.rawValue)),
            ("kind", .text(kind.rawValue)),
        ]
    }
}
