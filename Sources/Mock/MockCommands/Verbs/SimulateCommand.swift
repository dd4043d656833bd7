import Basics
import CloudCommandLine
import CloudModel
import CommandLine
import JSON
import MockServer

/// Lets something happen to an account of a running mock server, outside of any request.
struct SimulateCommand: Command {
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
        "count", value: .number(1...MockAct.countMax), "number of pages")
    private static let name = Option("name", value: .text("NAME"), "name of a snapshot or a role")

    private static let parameters: [(option: Option, parameter: MockAct.Parameter)] = [
        (user, .user), (with, .with), (device, .device), (container, .container),
        (environment, .environment), (database, .database), (zone, .zone), (count, .count),
        (name, .name),
    ]
    private static let acts = MockAct.Kind.allCases.map { $0.rawValue }

    static let verb = Verb(
        "act", "simulate an account event on a running mock server",
        discussion: [
            "Events that no request of an app can cause: a user changes the settings of a "
                + "device, an owner changes a share, or the service acts by itself."
        ] + MockAct.Kind.allCases.map { "\($0.rawValue): \($0.summary). \(taken(by: $0))" },
        positionals: [Positional(Option.Value("ACT", .choice(acts)), .one, "event to simulate")],
        options: parameters.map { $0.option } + AdminClient.options + CommonOptions.output,
        examples: [
            .init(
                "cloudkit-mock act purge --user ada --container iCloud.com.example.notes",
                "Ada deletes the app's data in the settings"),
            .init(
                "cloudkit-mock act sign-out --user ada --device phone",
                "requests from her phone get AUTHENTICATION_REQUIRED"),
            .init(
                "cloudkit-mock act share --user ada --with bob --zone Trip "
                    + "--container iCloud.com.example.notes", "Bob can read Ada's zone"),
        ])
    private let arguments: Arguments
    private let act: MockAct

    /// The options of an act, for its help.
    private static func taken(by kind: MockAct.Kind) -> String {
        func names(_ parameters: [MockAct.Parameter]) -> String {
            parameters.map { "--\($0.rawValue)" }.joined(separator: ", ")
        }
        let (needed, optional) = kind.parameters
        let parts = [
            needed.isEmpty ? nil : "Needs \(names(needed))",
            optional.isEmpty ? nil : "\(needed.isEmpty ? "Takes" : "takes") \(names(optional))",
        ]
        return parts.compactMap { $0 }.joined(separator: "; ") + "."
    }

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        let text = arguments.positionals.first ?? ""
        guard let kind = MockAct.Kind(rawValue: text) else {
            throw UsageError(
                "unknown event \"\(text)\"\(NearestName.hint(for: text, among: Self.acts))",
                remedy: "one of: " + Self.acts.joined(separator: ", "))
        }
        let (needed, optional) = kind.parameters
        if let missing = needed.first(where: { !arguments.has(Self.option($0)) }) {
            throw UsageError("\"cloudkit-mock act \(text)\" needs --\(missing.rawValue)")
        }
        let taken = needed + optional
        if let stray = Self.parameters.first(where: {
            arguments.has($0.option) && !taken.contains($0.parameter)
        }) {
            throw UsageError(
                "--\(stray.option.name) is not valid with \"cloudkit-mock act \(text)\"",
                remedy: "it takes " + taken.map { "--\($0.rawValue)" }.joined(separator: ", "))
        }
        var act = MockAct(kind)
        act.user = arguments.text(Self.user)
        act.other = arguments.text(Self.with)
        act.device = arguments.text(Self.device)
        act.environment = arguments.text(Self.environment).flatMap { .init(rawValue: $0) }
        act.database = arguments.text(Self.database).flatMap { .init(rawValue: $0) }
        act.zone = arguments.text(Self.zone)
        act.count = arguments.number(Self.count)
        act.name = arguments.text(Self.name)
        if let text = arguments.text(Self.container) {
            guard let container = Container.ID(text) else {
                let problem = Container.ID.problem(in: text) ?? "is malformed"
                throw UsageError("the container \"\(text)\" \(problem)")
            }
            act.container = container
        }
        if let problem = act.problem { throw UsageError(problem) }
        self.act = act
    }

    private static func option(_ parameter: MockAct.Parameter) -> Option {
        parameters.first { $0.parameter == parameter }?.option ?? user
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        let answer = try await admin.ask(.post, "act", act.json)
        func list(_ key: String) -> Event.Value {
            .list((answer[key].map { Array($0.elements) } ?? []).map { .text($0.string ?? "") })
        }
        let zones = (answer["zones"].map { Array($0.elements) } ?? []).compactMap { $0.string }
        console.result(answer["message"]?.string ?? act.kind.rawValue)
        if zones.count > 1 || act.zone == nil {
            for zone in zones { console.note("  \(zone)") }
        }
        let token = answer["webToken"]?.string
        if let token { console.note("web token: \(token)") }
        console.event(
            Event(
                "act",
                [
                    .init("act", act.kind.rawValue),
                    .init("changed", Int(answer["changed"]?.int64 ?? 0)),
                    .init("zones", list("zones")), .init("users", list("users")),
                    .init("webToken", token),
                ]))
        return .done
    }
}
