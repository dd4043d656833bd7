import CommandLine
import JSON

/// Lets a running mock server do what the service does later.
struct TickCommand: Command {
    private static let count = Option(
        "count", value: .number(1...1_000_000), "number of them (default: all)")

    static let verb = Verb(
        "tick", "run a mock server's pending work now",
        discussion: [
            "Delayed index updates, cascades of a default zone, compaction of deleted records, "
                + "expiry of tokens, delivery of invitations and pushes. Without WHAT, lists the "
                + "kinds of work and how much of each is pending."
        ],
        positionals: [Positional(.text("WHAT"), .optional, "kind of work, such as push")],
        options: [count] + AdminClient.options + CommonOptions.output,
        examples: [
            .init("cloudkit-mock tick", "what is pending?"),
            .init("cloudkit-mock tick push --count 1", "deliver one push"),
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        if arguments.has(Self.count), arguments.positionals.isEmpty {
            throw UsageError("--count needs WHAT")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        guard let what = arguments.positionals.first else {
            show(try await admin.ask(.get, "ticks"), console)
            return .done
        }
        var fields = [Event.Field("what", what)]
        if let count = arguments.number(Self.count) { fields.append(.init("count", count)) }
        let answer = try await admin.ask(.post, "tick", fields)
        let done = Int(answer["done"]?.int64 ?? 0)
        let waiting = Int(answer["waiting"]?.int64 ?? 0)
        console.result("\(what): \(done) done, \(waiting) pending")
        console.event(
            Event(
                "tick", [.init("what", what), .init("done", done), .init("waiting", waiting)]))
        return .done
    }

    private func show(_ answer: JSONValue, _ console: Console) {
        var table = TextTable()
        table.add([
            .init("what", .faint), .init("waiting", .faint, alignsRight: true), .init("", .faint),
        ])
        for tick in answer["ticks"].map({ Array($0.elements) }) ?? [] {
            let what = tick["what"]?.string ?? ""
            let waiting = Int(tick["waiting"]?.int64 ?? 0)
            let about = tick["about"]?.string ?? ""
            table.add([.init(what), .number(waiting), .init(about)])
            console.event(
                Event(
                    "waiting",
                    [.init("what", what), .init("waiting", waiting), .init("about", about)]))
        }
        console.result(table.lines(console.style).joined(separator: "\n"))
    }
}
