import CommandTable
import JSON

/// Lets a running mock server do what the service does later.
struct MockTickCommand: Command {
    private static let count = Option(
        "count", value: .number(1...1_000_000), "how many of them (default: all that wait)")

    static let verb = Verb(
        "mock tick", "let a mock server do now what the service does later",
        discussion: [
            "Indexes that lag, cascades of a default zone, tombstones that are compacted, tokens that "
                + "expire, invitations and pushes that are delivered: each waits until it is told. Without "
                + "WHAT, what there is, and how much of it waits."
        ],
        positionals: [Positional(.text("WHAT"), .optional, "what to do, such as push")],
        options: [count] + MockAdmin.options + CommonOptions.output,
        examples: [
            .init("cksweep mock tick", "what waits"),
            .init("cksweep mock tick push --count 1", "one push is delivered"),
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        if arguments.has(Self.count), arguments.positionals.isEmpty {
            throw UsageError("--count goes with WHAT")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try MockAdmin(arguments, in: environment)
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
        console.result("\(what): \(done) done, \(waiting) waiting")
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
