import Basics
import CloudCommandLine
import CloudModel
import CommandLine
import MockStore

/// Has something happen on a running mock server, outside of any request.
struct SimulateCommand: AdministrationCommand {
    private static let user = Option("user", value: .known("NAME", .user), "user who acts")
    private static let with = Option(
        "with", value: .known("NAME", .user), "other user of a share or an account change")
    private static let device = Option(
        "device", value: .text("NAME"), "device (default: every device)")
    private static let container = Option(
        "container", value: .known("ID", .container), "container")
    private static let environment = Option(
        "environment", value: .choice(Container.Environment.allCases.map { $0.rawValue }),
        "environment of the container (default: development)")
    private static let database = Option(
        "database", value: .choice(["private", "shared"]), "database")
    private static let zone = Option(
        "zone", value: .known("NAME", .zone), "zone (default: every custom zone)")
    private static let count = Option(
        "count", value: .number(1...1_000_000),
        "number of pending items (default: all)")
    private static let name = Option("name", value: .text("NAME"), "name of a role")

    private static let parameters: [(option: Option, parameter: MockAct.Parameter)] = [
        (user, .user), (with, .with), (device, .device), (container, .container),
        (environment, .environment), (database, .database), (zone, .zone),
        (name, .name),
    ]

    static let verb = Verb(
        "simulate", "have something happen on a running mock server",
        discussion: [
            "Events that no request of an app can cause: a user changes the settings of a "
                + "device, an owner changes a share, or the service does later what follows from "
                + "an earlier request. Without EVENT, lists how much such work is pending.",
            "With --async manual the server does its pending work only when it is simulated here; "
                + "--count limits the number of zones, records or pushes.",
        ],
        positionals: [
            Positional(
                Option.Value("EVENT", .suggested(SimulatedEvent.all.map(\.name))), .optional,
                "what happens, see below")
        ],
        options: parameters.map { $0.option } + [count] + AdminClient.options
            + CommonOptions.output,
        examples: [
            .init(
                "cloudkit-mock simulate purge --user ada --container iCloud.com.example.notes",
                "Ada deletes the app's data in the settings"),
            .init(
                "cloudkit-mock simulate sign-out --user ada --device phone",
                "requests from her phone get AUTHENTICATION_REQUIRED"),
            .init(
                "cloudkit-mock simulate share --user ada --with bob --zone Trip "
                    + "--container iCloud.com.example.notes", "Bob can read Ada's zone"),
            .init("cloudkit-mock simulate push --count 1", "deliver one pending push"),
        ],
        sections: [Verb.Section("events", SimulatedEvent.all.map { ($0.name, about($0)) })])
    let arguments: Arguments
    private let event: SimulatedEvent?

    /// What an event is, and its options.
    private static func about(_ event: SimulatedEvent) -> String {
        func names(_ parameters: [MockAct.Parameter]) -> String {
            parameters.map { "--\($0.rawValue)" }.joined(separator: ", ")
        }
        let (needed, optional) = event.parameters
        let taken = event.work == nil ? names(optional) : "--\(count.name)"
        let parts = [
            needed.isEmpty ? nil : "Needs \(names(needed))",
            taken.isEmpty ? nil : "\(needed.isEmpty ? "Takes" : "takes") \(taken)",
        ]
        return "\(event.summary). \(parts.compactMap { $0 }.joined(separator: "; "))."
    }

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard let text = arguments.positionals.first else {
            event = nil
            let options = Self.parameters.map(\.option) + [Self.count]
            if let stray = options.first(where: { arguments.has($0) }) {
                throw UsageError("--\(stray.name) needs EVENT")
            }
            return
        }
        let names = SimulatedEvent.all.map(\.name)
        guard let event = SimulatedEvent.all.first(where: { $0.name == text }) else {
            if let advice = MockAct.replacements[text] {
                throw UsageError(
                    "there is no event \"\(text)\"; \(advice)",
                    remedy: "\"cloudkit-mock faults\" adds and removes faults")
            }
            throw UsageError(
                "EVENT is \"\(text)\"; expected one of \(names.joined(separator: ", "))"
                    + NearestName.hint(for: text, among: names))
        }
        let (needed, optional) = event.parameters
        if let missing = needed.first(where: { !arguments.has(Self.option($0)) }) {
            throw UsageError("\"cloudkit-mock simulate \(text)\" needs --\(missing.rawValue)")
        }
        let taken =
            (needed + optional).map(Self.option) + (event.work == nil ? [] : [Self.count])
        let options = Self.parameters.map(\.option) + [Self.count]
        if let stray = options.first(where: { option in
            arguments.has(option) && !taken.contains { $0.name == option.name }
        }) {
            throw UsageError(
                "--\(stray.name) is not valid with \"cloudkit-mock simulate \(text)\"",
                remedy: "it takes " + taken.map { "--\($0.name)" }.joined(separator: ", "))
        }
        self.event = event
        if case .act(let kind) = event, let problem = try Self.act(kind, arguments).problem {
            throw UsageError(problem)
        }
    }

    private static func act(
        _ kind: MockAct.Kind, _ arguments: Arguments
    ) throws(UsageError) -> MockAct {
        var act = MockAct(kind)
        act.user = arguments.text(Self.user)
        act.other = arguments.text(Self.with)
        act.device = arguments.text(Self.device)
        act.environment = arguments.text(Self.environment).flatMap { .init(rawValue: $0) }
        act.database = arguments.text(Self.database).flatMap { .init(rawValue: $0) }
        act.zone = arguments.text(Self.zone)
        act.name = arguments.text(Self.name)
        if let text = arguments.text(Self.container) {
            guard let container = Container.ID(text) else {
                let problem = Container.ID.problem(in: text) ?? "is malformed"
                throw UsageError("the container \"\(text)\" \(problem)")
            }
            act.container = container
        }
        return act
    }

    private static func option(_ parameter: MockAct.Parameter) -> Option {
        parameters.first { $0.parameter == parameter }?.option ?? user
    }

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        switch event {
        case nil: listPending(try await server.pendingWork(), console)
        case .work(let work):
            let count = arguments.number(Self.count)
            let (done, left) = try await server.run(work, count: count)
            let name = SimulatedEvent.work(work).name
            console.result("\(name): \(done) done, \(left) pending")
            console.event(
                Event(
                    "simulated",
                    [.init("simulated", name), .init("done", done), .init("pending", left)]))
        case .act(let kind):
            let act: MockAct
            do throws(UsageError) {
                act = try Self.act(kind, arguments)
            } catch {
                throw CommandFailure(.usage, error.message, remedy: error.remedy)
            }
            show(try await server.simulate(act), of: act, console)
        }
        return .done
    }

    private func listPending(_ work: [PendingWork], _ console: Console) {
        let known = work.compactMap { entry in
            SimulatedEvent.all.first { $0.work == entry.kind && $0.work != nil }
                .map { ($0.name, entry) }
        }
        console.table(
            ["event", "pending", ""],
            known.map { [.init($0), .number($1.count), .init($1.about)] })
        for (name, entry) in known {
            console.event(
                Event(
                    "pending",
                    [
                        .init("event", name), .init("pending", entry.count),
                        .init("about", entry.about),
                    ]))
        }
    }

    private func show(_ report: EventReport, of act: MockAct, _ console: Console) {
        console.result(report.message)
        if report.zones.count > 1 || act.zone == nil {
            for zone in report.zones { console.note("  \(zone)") }
        }
        if let token = report.webToken { console.note("web token: \(token)") }
        console.event(report.event(of: act.kind))
    }
}
