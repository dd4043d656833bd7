import CommandTable

/// Prints help for one verb or all.
struct HelpCommand: Command {
    static let verb = Verb(
        HelpText.verbName, "show help for a verb, or list all verbs",
        positionals: [Positional(.text("VERB"), .any, "one verb, such as sweep or mock start")],
        examples: [.init("cksweep help sweep", "all about one verb")])
    private let words: [String]

    init(arguments: Arguments) throws(UsageError) { words = arguments.positionals }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        if words.isEmpty {
            environment.output.write(HelpText.overview(verbs: VerbTable.verbs))
            return .done
        }
        if words.count == 1 {
            let family = VerbTable.verbs.filter { $0.words[0] == words[0] }
            if family.count > 1 {
                let pages = family.map { HelpText.page(for: $0) }
                environment.output.write(pages.joined(separator: "\n"))
                return .done
            }
        }
        do throws(UsageError) {
            let (type, count) = try VerbTable.find(words)
            guard count == words.count else {
                throw UsageError("unknown verb \"\(words.joined(separator: " "))\"")
            }
            environment.output.write(HelpText.page(for: type.verb))
        } catch {
            throw CommandFailure(error)
        }
        return .done
    }
}
