import CommandLine
import JSON
import MockServer

/// Shows, adds or clears the faults of a running mock server.
struct FaultsCommand: Command {
    private static let clear = Option("clear", "remove all faults first")
    private static let remove = Option(
        "remove", value: .text("ID"), repeats: true, "remove this fault")

    static let verb = Verb(
        "faults", "show, add or clear faults of a running mock server",
        discussion: [
            "A rule reads OPERATION[@CONTAINER][/SCOPE][#ZONE] [type=T] [record=R] [change=C] "
                + "[user=U] [device=D] [nth=N] [every=N] [times=N] [probability=P] [after=TIME] "
                + "[until=TIME] -> ACTION. Without rules and options, lists the faults and how "
                + "often each fired.",
            "Or in words, such as \"3rd modify in zone Notes* -> CONFLICT on 2 items\", \"10% "
                + "of changes -> empty page\" or \"busy: every query -> THROTTLED retry 30s 3 "
                + "times\".",
            "OPERATION is a path such as zones/modify, a group such as records/*, or any, reads "
                + "or writes. ACTION is an error code such as THROTTLED [retry=1s], a code \"on 2 "
                + "items\", \"drop 2 items\", \"repeat 1 items\", \"delay 50ms..200ms\", \"status "
                + "502\", \"wrong content\", \"cut before commit\", \"cut after commit\", \"cut at "
                + "512\", \"stale zone list\", \"stale 30s\", \"empty page\", \"repeat page\", "
                + "\"expire token\", \"purge zone\", \"delete zone\", \"recreate zone with 3 "
                + "records\", \"throttle 10/s burst 20\", or \"hold g1\". Items are what a response "
                + "lists; of changes/zone they are its zones, and \"2 records\" are the records in "
                + "its pages.",
        ],
        positionals: [Positional(.text("RULE"), .any, "faults to add")],
        options: [clear, remove] + AdminClient.options + CommonOptions.output,
        examples: [
            .init(
                "cloudkit-mock faults \"zones/modify nth=2 -> THROTTLED retry=1s\"",
                "the second deletion of zones is throttled"),
            .init("cloudkit-mock faults --clear", "remove all faults"),
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        for text in arguments.positionals {
            do throws(FaultError) {
                _ = try FaultRule(id: "check", text: text)
            } catch {
                throw UsageError("the fault \"\(text)\" is refused: \(error)")
            }
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        if arguments.has(Self.clear) { _ = try await admin.ask(.delete, "faults") }
        for id in arguments.texts(Self.remove) {
            _ = try await admin.ask(.delete, "faults?id=\(AdminClient.escaped(id))")
        }
        if !arguments.positionals.isEmpty {
            let rules = arguments.positionals.map { Event.Value.text($0) }
            _ = try await admin.ask(
                .post, "faults",
                Array(Event("faults", [.init("rules", .list(rules))]).prettyText.utf8))
        }
        show(try await admin.ask(.get, "faults"), console)
        return .done
    }

    private func show(_ answer: JSONValue, _ console: Console) {
        let rules = answer["rules"].map { Array($0.elements) } ?? []
        guard !rules.isEmpty else { return console.note("No faults.") }
        var table = TextTable()
        table.add(["id", "fired", "matched", "rule"].map { .init($0, .faint) })
        for rule in rules {
            let id = rule["id"]?.string ?? ""
            let text = rule["text"]?.string ?? ""
            let fired = Int(rule["fired"]?.int64 ?? 0)
            let matched = Int(rule["matched"]?.int64 ?? 0)
            table.add([.init(id), .number(fired), .number(matched), .init(text)])
            console.event(
                Event(
                    "fault",
                    [
                        .init("id", id), .init("rule", text), .init("fired", fired),
                        .init("matched", matched),
                    ]))
        }
        console.result(table.lines(console.style).joined(separator: "\n"))
    }
}
