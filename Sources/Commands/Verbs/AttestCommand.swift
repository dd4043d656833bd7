import CloudModel
import CommandTable
import Evidence

/// Checks evidence offline.
struct AttestCommand: Command {
    private static let require = Option(
        "require", value: .choice(Verdict.allCases.map(\.rawValue)), "the verdict it must have")
    private static let run = Option(
        "expect-run", value: .known("RUN", .run), "the run it must be about")
    private static let container = Option(
        "expect-container", value: .container, repeats: true,
        "a container it must be about; with this, about no other")
    private static let environmentName = Option(
        "expect-environment", value: .choice(["development", "production"]),
        "the environment it must be about")
    private static let plan = Option(
        "expect-plan", value: .text("DIGEST"), "the plan that must have been approved")
    private static let notBefore = Option(
        "not-before", value: .text("TIME"),
        "the run must not have begun earlier, such as 2026-01-15T08:30:00Z")

    static let verb = Verb(
        "attest", "check evidence offline",
        discussion: [
            "Needs nothing but the file and a public key that came by another way: a key that "
                + "evidence brings along proves nothing. Exit 0 means that a key of yours has "
                + "signed it, that its numbers, times and passes hold together, and that it is "
                + "what the options ask for; 11 that something does not, and which.",
            "Beside a statement may lie addenda: what was signed later, such as the looks of "
                + "\"cksweep watch\". All of them are checked with it, or all up to the one that "
                + "is named: each must be about this very statement, and in its place.",
            "A signature says who says so. Whether a deletion was complete is the verdict: ask for "
                + "it with --require complete, which no rehearsal and no partial run can have.",
        ],
        positionals: [
            AttestReading.positional
        ],
        options: [
            require, run, container, environmentName, plan, notBefore,
        ] + AttestReading.options + CommonOptions.output,
        examples: [
            .init("cksweep attest RUN.json --key operator.pub.pem --require complete", "for real?")
        ])
    private let arguments: Arguments
    private let earliest: Timestamp?

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard let text = arguments.text(Self.notBefore) else {
            earliest = nil
            return
        }
        guard let time = Timestamp(iso8601: text) else {
            throw UsageError("--not-before takes a time such as 2026-01-15T08:30:00Z")
        }
        earliest = time
    }

    private var expectations: Expectations {
        var expected = Expectations()
        expected.verdict = arguments.text(Self.require).flatMap { Verdict(rawValue: $0) }
        expected.run = arguments.text(Self.run)
        let containers = arguments.texts(Self.container)
        expected.containers = containers.isEmpty ? nil : Set(containers)
        expected.environment = arguments.text(Self.environmentName)
        expected.plan = arguments.text(Self.plan)
        expected.notBefore = earliest
        return expected
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let reading = AttestReading(arguments, in: environment)
        let text = AttestationText(
            try reading.read(expectations, console), addendum: reading.addendum)
        console.event(text.event)
        console.result(text.lines(console.style).joined(separator: "\n"))
        return .done
    }
}
