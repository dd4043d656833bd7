import CommandLine
import Evidence
import Journal
import SweepEngine

/// Says whether evidence is about a person, to who has the run's key.
struct AttestMatchCommand: Command {
    private static let subject = Option(
        "subject", value: .text("NAME"), isNeeded: true,
        "user record name of the user in one of the containers")

    static let verb = Verb(
        "attest match", "check whether evidence is about a user",
        discussion: [
            "Evidence contains no names. The state folder of the run has the key that links a "
                + "name to the pseudonym in the evidence, until \"cksweep forget\" destroys it. "
                + "Exit 0: the evidence is about this user; 11: it is not, or it is invalid."
        ],
        positionals: [AttestReading.positional],
        options: [subject] + AttestReading.options + [CommonOptions.state]
            + CommonOptions.output,
        examples: [
            .init(
                "cksweep attest match RUN.json --key operator.pub.pem --subject "
                    + "_0a1b2c3d4e5f60718293a4b5c6d7e8f9",
                "is it about this user?")
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let facts = try AttestReading(arguments, in: environment)
            .read(Expectations(), console).statement.facts
        let (folder, run) = try await StateFolders(arguments, in: environment).find(facts.run.id)
        let name = arguments.text(Self.subject) ?? ""
        if Self.isShortened(name) {
            throw CommandFailure(
                .usage, "--subject \(name) is only a part of a user record name",
                remedy:
                    "give the whole name: _ and 32 hexadecimal digits, as \"cksweep login\" "
                    + "shows it"
            )
        }
        var matches: [String] = []
        for container in facts.containers {
            let pseudonym = try await pseudonym(of: name, container.identifier, facts, folder)
            guard let pseudonym else {
                throw CommandFailure(
                    .evidenceInvalid,
                    "the user can no longer be identified: run \(run) was forgotten")
            }
            if pseudonym == container.user { matches.append(container.identifier) }
        }
        console.event(
            Event(
                "matched",
                [
                    .init("run", run), .init("matches", !matches.isEmpty),
                    .init("containers", .list(matches.map { .text($0) })),
                ]))
        console.result([
            matches.isEmpty
                ? "NO MATCH: run \(run) is not about this user."
                : "MATCH: run \(run) is about this user, in \(matches.joined(separator: ", "))."
        ])
        return .status(matches.isEmpty ? .evidenceInvalid : .done)
    }

    /// Whether a name begins like one of the service's and is shorter, as a table shows it.
    private static func isShortened(_ name: String) -> Bool {
        guard name.hasPrefix("_"), name.utf8.count < 33 else { return name.hasSuffix("…") }
        return name.dropFirst().allSatisfy { $0.isHexDigit || "….".contains($0) }
    }

    private func pseudonym(
        of name: String, _ container: String, _ facts: ErasureFacts, _ folder: String
    ) async throws(CommandFailure) -> String? {
        do throws(JournalError) {
            return try await SweepHistory(stateFolder: folder).pseudonym(
                ofUser: name, run: facts.run.id, in: container, facts.environment)
        } catch {
            throw CommandFailure(error)
        }
    }
}
