import Basics
import CloudCommandLine
import CommandLine
import Evidence

/// Checks evidence offline.
struct AttestCommand: Command {
    private static let require = Option(
        "require", value: .choice(Verdict.allCases.map(\.rawValue)), "required verdict")
    private static let run = Option(
        "expect-run", value: .known("RUN", .run), "required run")
    private static let container = Option(
        "expect-container", value: .container, repeats: true,
        "required container; no other container is accepted then")
    private static let environmentName = Option(
        "expect-environment", value: .choice(["development", "production"]),
        "required environment")
    private static let plan = Option(
        "expect-plan", value: .text("DIGEST"), "digest of the plan that must have been approved")
    private static let notBefore = Option(
        "not-before", value: .text("TIME"),
        "earliest accepted start of the run, such as 2026-01-15T08:30:00Z")

    static let verb = Verb(
        "attest", "check evidence offline",
        discussion: [
            "Needs nothing but the file and a public key that you received separately: a key "
                + "that is delivered with the evidence proves nothing. Exit 0 means: one of your "
                + "keys has signed it, its numbers, times and passes are consistent, and it meets "
                + "the given requirements. Exit 11 names what does not.",
            "Addenda, signed later, may be next to a statement, such as the scans of \"cksweep "
                + "watch\". All of them are checked with it, or all up to the named one: each must "
                + "refer to this statement, in its order.",
            "A signature identifies the signer. The verdict says whether a deletion was "
                + "complete: require it with --require complete, which no rehearsal and no partial "
                + "run can have.",
        ],
        positionals: [
            AttestReading.positional
        ],
        options: [
            require, run, container, environmentName, plan, notBefore,
        ] + AttestReading.options + CommonOptions.output,
        examples: [
            .init(
                "cksweep attest RUN.json --key operator.pub.pem --require complete",
                "require a complete, real deletion")
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
