import CloudModel
import CommandLine
import DeletionPlanning
import SweepEngine

/// Shows a plan, stale or not.
struct ShowCommand: Command {
    private static let why = Option("why", "name the rule for each kept item")
    private static let detailed = Option(
        "detailed-exitcode", "with two plans: exit 10 if they differ")
    private static let items = Option("items", "list everything that would be deleted, by name")

    static let verb = Verb(
        "show", "show a plan, even an expired one, or how two plans differ",
        discussion: [
            "Checks the whole file: a plan that was changed or truncated is refused with its "
                + "line. Sends no request.",
            "With two plans, shows what the second adds, lacks and changes, the first ten by "
                + "name; --items lists all, and with --detailed-exitcode it exits 10 if they "
                + "differ.",
        ],
        positionals: [PlanArgument.oneOrTwo],
        options: [why, items, detailed] + CommonOptions.output,
        examples: [
            .init("cksweep show app.plan --why", "what is kept, and by which rule"),
            .init("cksweep show old.plan new.plan", "what has changed since"),
        ])
    private let arguments: Arguments
    private let plan: String

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard arguments.positionals.count <= 2 else {
            throw UsageError("\"show\" takes one plan, or two to compare")
        }
        guard arguments.positionals.count == 1 || !arguments.has(Self.why) else {
            throw UsageError(
                "--why is only valid with one plan; a comparison always shows the rules")
        }
        plan = arguments.positionals.first ?? ""
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        if arguments.positionals.count == 2 {
            let isSame = try PlanComparing(
                first: plan, second: arguments.positionals[1],
                showsAll: arguments.has(Self.items), console: console
            ).run()
            return isSame || !arguments.has(Self.detailed) ? .done : .status(.somethingToDelete)
        }
        let path = environment.files.absolute(plan)
        try PlanArgument.check(plan, in: environment)
        let signatures = try PlanApprovalFile(plan: plan, files: environment.files).read().count
        var summary = PlanSummary()
        let facts: PlanFacts
        do throws(PlanFileError) {
            facts = try PlanFile.read(path) { (line) throws(PlanFileError) in
                if case .item(let item, _) = line { summary.add(item) }
            }
            console.begin(at: facts.server)
            show(facts, summary, signatures > 0 ? signatures : nil, console)
            // The whole file was checked above; only now names are shown.
            if arguments.has(Self.items) || arguments.has(Self.why) {
                console.result("")
                _ = try PlanFile.read(path) { (line) throws(PlanFileError) in
                    if case .item(let item, let reason) = line { show(item, reason, console) }
                }
            }
        } catch {
            throw CommandFailure(
                error.isTampering ? .refused : .usage, error.text(file: plan))
        }
        return .done
    }

    private func show(
        _ plan: PlanFacts, _ summary: PlanSummary, _ signatures: Int?, _ console: Console
    ) {
        console.event { plan.jsonLine($0, named: "plan") }
        let now = console.environment.wallClock.now
        var facts = TextTable()
        facts.add([.init("plan", .faint), .init(plan.digest)])
        facts.add([.init("server", .faint), .init(plan.server.description)])
        facts.add([.init("environment", .faint), .init(plan.environment.rawValue)])
        facts.add([.init("made", .faint), .init("\(plan.created.iso8601), by \(plan.toolVersion)")])
        let isStale = now >= plan.expires
        facts.add([
            .init(isStale ? "EXPIRED" : "valid until", isStale ? .bad : .faint),
            .init(plan.expires.iso8601, isStale ? .bad : .plain),
        ])
        if let time = plan.conditions.notBefore {
            let isEarly = now < time
            facts.add([
                .init("not before", isEarly ? .caution : .faint),
                .init(time.iso8601, isEarly ? .caution : .plain),
            ])
        }
        if let request = plan.conditions.request {
            facts.add([.init("request", .faint), .init(DueText.words(request))])
        }
        if let signatures {
            facts.add([
                .init("signatures", .faint),
                .init("\(signatures), not checked here: see \"plan approvals\""),
            ])
        }
        facts.add([
            .init("to delete", .faint),
            .init(Counts.text(plan.totals, recordsInZones: nil), .strong),
        ])
        facts.add([.init("requests", .faint), .init(TextTable.grouped(plan.totals.steps))])
        if !summary.places.contains(where: \.place.isKept) {
            facts.add([.init("kept", .faint), .init("nothing")])
        }
        console.result(facts.lines(console.style).joined(separator: "\n") + "\n")
        var table = TextTable(indent: 2)
        for (place, count) in summary.places {
            table.add([
                .init(place.scope.rawValue), .number(count), .init(place.what),
                place.isKept ? .init("kept", .caution) : .init(""),
            ])
        }
        var container: Container.ID?
        for (entry, line) in zip(summary.places, table.lines(console.style)) {
            if entry.place.container != container {
                container = entry.place.container
                let user = plan.subjects.first { $0.container == entry.place.container }
                let suffix = user.map { "  (user \(CoverageMap.short($0.userPseudonym)))" } ?? ""
                console.result(
                    console.style.text(entry.place.container.rawValue + suffix, .strong))
            }
            console.result(line)
        }
    }

    private func show(_ item: PlanItem, _ reason: String?, _ console: Console) {
        switch item {
        case .step(let step):
            guard arguments.has(Self.items) else { return }
            for name in PlanSummary.names(step.work) {
                console.result(
                    "delete  \(step.container)/\(step.scope.rawValue)  \(Visible.text(name))")
                console.event(Self.event("planned_item", step.container, step.scope, name, nil))
            }
        case .kept(let kept):
            guard arguments.has(Self.why) else { return }
            let name = PlanSummary.name(kept.what)
            let why = PlanSummary.why(kept.because, reason)
            console.result(
                "keep    \(kept.container)/\(kept.scope.rawValue)  "
                    + Visible.text("\(name)  (\(why))"))
            console.event(Self.event("kept_item", kept.container, kept.scope, name, why))
        case .unproven(let place):
            let subject = place.subject.isEmpty ? "" : " \(place.subject)"
            let name = Visible.text(place.place + subject)
            console.result(
                "unproven  \(place.container)/\(place.scope.rawValue)  \(name)")
            console.event(
                Self.event("unproven_place", place.container, place.scope, name, nil))
        }
    }

    private static func event(
        _ name: String, _ container: Container.ID, _ scope: Database.Scope, _ item: String,
        _ why: String?
    ) -> Event {
        Event(
            name,
            [
                .init("container", container.rawValue), .init("database", scope.rawValue),
                .init("item", item), .init("why", why),
            ])
    }
}
