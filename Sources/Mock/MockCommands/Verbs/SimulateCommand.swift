import Basics
import CloudCommandLine
import CloudModel
import CommandLine
import MockStore

/// Has something happen on a running mock server, outside of any request.
struct SimulateCommand: AdministrationCommand {
    private static let user = Option("user", value: .known("NAME", .user), "user that it concerns")
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
        "count", value: .number(1...Int(SimulatedEvent.countMax)),
        "number of zones, records or pushes (default: all that are pending)")
    private static let name = Option("name", value: .text("NAME"), "name of a role")

    private static let options: [(option: Option, parameter: SimulatedEvent.Parameter)] = [
        (user, .user), (with, .with), (device, .device), (container, .container),
        (environment, .environment), (database, .database), (zone, .zone),
        (name, .name), (count, .count),
    ]
    /// Snapshots have a verb of their own.
    private static let events = SimulatedEvent.Kind.allCases.filter {
        $0 != .snapshot && $0 != .restore
    }

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
                Option.Value("EVENT", .suggested(events.map(\.rawValue))), .optional,
                "what happens, see below")
        ],
        options: options.map(\.option) + AdminClient.options + CommonOptions.output,
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
            .init("cloudkit-mock simulate deliver-pushes --count 1", "deliver one pending push"),
        ],
        sections: [Verb.Section("events", events.map { ($0.rawValue, about($0)) })])
    let arguments: Arguments
    private let event: SimulatedEvent?

    /// What an event is, and its options.
    private static func about(_ event: SimulatedEvent.Kind) -> String {
        func names(_ parameters: [SimulatedEvent.Parameter]) -> String {
            parameters.map { "--\($0.rawValue)" }.joined(separator: ", ")
        }
        let (needed, optional) = event.parameters
        let parts = [
            needed.isEmpty ? nil : "Needs \(names(needed))",
            optional.isEmpty ? nil : "\(needed.isEmpty ? "Takes" : "takes") \(names(optional))",
        ]
        return "\(event.summary). \(parts.compactMap { $0 }.joined(separator: "; "))."
    }

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        let given = Self.options.filter { arguments.has($0.option) }
        guard let text = arguments.positionals.first else {
            event = nil
            if let stray = given.first { throw UsageError("--\(stray.option.name) needs EVENT") }
            return
        }
        let names = Self.events.map(\.rawValue)
        guard let kind = Self.events.first(where: { $0.rawValue == text }) else {
            if let advice = SimulatedEvent.replacements[text] {
                throw UsageError("there is no event \"\(text)\"; \(advice)")
            }
            throw UsageError(
                "EVENT is \"\(text)\"; expected one of \(names.joined(separator: ", "))"
                    + NearestName.hint(for: text, among: names))
        }
        let (needed, optional) = kind.parameters
        if let missing = needed.first(where: { parameter in
            !given.contains { $0.parameter == parameter }
        }) {
            throw UsageError("\"cloudkit-mock simulate \(text)\" needs --\(missing.rawValue)")
        }
        if let stray = given.first(where: { !(needed + optional).contains($0.parameter) }) {
            throw UsageError(
                "--\(stray.option.name) is not valid with \"cloudkit-mock simulate \(text)\"",
                remedy: "it takes "
                    + (needed + optional).map { "--\($0.rawValue)" }.joined(separator: ", "))
        }
        let event = try Self.event(kind, arguments)
        if let problem = event.problem { throw UsageError(problem) }
        self.event = event
    }

    private static func event(
        _ kind: SimulatedEvent.Kind, _ arguments: Arguments
    ) throws(UsageError) -> SimulatedEvent {
        var event = SimulatedEvent(kind)
        event.user = arguments.text(Self.user)
        event.other = arguments.text(Self.with)
        event.device = arguments.text(Self.device)
        event.environment = arguments.text(Self.environment).flatMap { .init(rawValue: $0) }
        event.database = arguments.text(Self.database).flatMap { .init(rawValue: $0) }
        event.zone = arguments.text(Self.zone)
        event.name = arguments.text(Self.name)
        event.count = arguments.number(Self.count)
        if let text = arguments.text(Self.container) {
            guard let container = Container.ID(text) else {
                let problem = Container.ID.problem(in: text) ?? "is malformed"
                throw UsageError("the container \"\(text)\" \(problem)")
            }
            event.container = container
        }
        return event
    }

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        if let event {
            show(try await server.simulate(event), of: event, console)
        } else {
            listPending(try await server.pendingWork(), console)
        }
        return .done
    }

    private func listPending(_ work: [PendingWork], _ console: Console) {
        console.table(
            ["event", "pending", ""],
            work.map { [.init($0.event), .number($0.count), .init($0.about)] })
        for work in work {
            console.event(
                Event(
                    "pending",
                    [
                        .init("event", work.event), .init("pending", work.count),
                        .init("about", work.about),
                    ]))
        }
    }

    private func show(_ report: EventReport, of event: SimulatedEvent, _ console: Console) {
        console.result(report.message)
        if report.zones.count > 1 || event.zone == nil {
            for zone in report.zones { console.note("  \(zone)") }
        }
        if let token = report.webToken { console.note("web token: \(token)") }
        console.event(report.event(of: event.kind))
    }
}
