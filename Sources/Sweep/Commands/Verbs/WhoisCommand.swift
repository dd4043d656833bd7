import CommandLine
import Journal
import SweepEngine

/// Says who or what a pseudonym stands for, to who has the state folder.
struct WhoisCommand: Command {
    static let verb = Verb(
        "whois", "resolve a pseudonym of a report or of evidence",
        discussion: [
            "Reports for others and evidence contain no names. The state folder of the run has "
                + "the key and the names to resolve a pseudonym, until \"cksweep forget\" destroys "
                + "both. The output is personal data.",
            "Exit 0: found; 2: no run in the folder has it; 11: the run was forgotten, and the "
                + "pseudonym cannot be resolved.",
        ],
        positionals: [
            Positional(
                .text("PSEUDONYM"), .one,
                "the pseudonym: 32 hexadecimal digits, or the first 12 of them")
        ],
        options: [CommonOptions.state] + CommonOptions.output,
        examples: [
            .init("cksweep whois 5f0c1e2d3b4a59687786a5b4c3d2e1f0", "who was that?")
        ])
    /// Enough to tell one from another: what tables show.
    private static let digitsMin = 12
    private let arguments: Arguments
    private let pseudonym: String

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        pseudonym = arguments.positionals.first ?? ""
        let isHexadecimal = pseudonym.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
        }
        guard isHexadecimal, (Self.digitsMin...32).contains(pseudonym.utf8.count) else {
            throw UsageError(
                "a pseudonym has 32 hexadecimal digits, of which the first \(Self.digitsMin) "
                    + "are enough"
            )
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let folders = StateFolders(arguments, in: environment)
        var owners: [PseudonymOwner] = []
        do throws(JournalError) {
            for folder in folders.existing {
                owners += try await SweepHistory(stateFolder: folder).owners(of: pseudonym)
            }
        } catch {
            throw CommandFailure(error)
        }
        guard let first = owners.first else {
            throw CommandFailure(
                .usage, "no run in \(folders.runs) has the pseudonym \(pseudonym)",
                remedy: "it belongs to another state folder, or to a removed run")
        }
        for owner in owners { console.event(Self.event(owner)) }
        guard owners.contains(where: { $0.name != nil }) else {
            throw CommandFailure(
                .evidenceInvalid,
                "the pseudonym can no longer be resolved: run \(first.run) was forgotten")
        }
        var table = TextTable()
        for owner in owners {
            let facts = [
                (owner.kind == .user ? "user" : "zone", owner.name ?? "forgotten"),
                ("container", owner.container.rawValue), ("run", owner.run),
            ]
            for (name, value) in facts {
                table.add([.init(name, .faint), .init(value)])
            }
        }
        console.result(table.lines(console.style).joined(separator: "\n"))
        return .done
    }

    private static func event(_ owner: PseudonymOwner) -> Event {
        Event(
            "pseudonym",
            [
                .init("kind", owner.kind == .user ? "user" : "zone"), .init("name", owner.name),
                .init("container", owner.container.rawValue), .init("run", owner.run),
            ])
    }
}
