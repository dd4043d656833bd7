import Basics

/// Prints help for one verb or all, or pages of the manual.
package struct HelpCommand: Command {
    private static let format = Option(
        "as", value: .choice(["text", "mdoc"]),
        "text, or a manual page for \"man -l\" (default text)")

    package static let verb = Verb(
        HelpText.verbName, "show help for a verb, or list all verbs",
        discussion: [
            "With --as mdoc, prints a page of the manual: the program's own unless one is named. "
                + "$SOURCE_DATE_EPOCH sets its date."
        ],
        positionals: [Positional(.text("VERB"), .any, "a verb, or a page")],
        options: [format],
        examples: [
            .init("PROGRAM help completions", "all about one verb"),
            .init("PROGRAM help --as mdoc | man -l -", "the manual page"),
        ])
    private let words: [String]
    private let isManual: Bool

    package init(arguments: Arguments) {
        words = arguments.positionals
        isManual = arguments.text(Self.format) == "mdoc"
    }

    package func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let program = environment.program
        do throws(UsageError) {
            if isManual {
                let date = try Self.date(environment)
                environment.output.write(try page(of: program).text(of: program, date: date))
            } else {
                environment.output.write(try text(of: program))
            }
        } catch {
            throw CommandFailure(error)
        }
        return .done
    }

    private func page(of program: Program) throws(UsageError) -> ManualPage {
        guard let name = words.isEmpty ? program.pages.first?.name : words.joined(separator: " "),
            let page = program.pages.first(where: { $0.name == name })
        else {
            let name = words.joined(separator: " ")
            let names = program.pages.map(\.name)
            throw UsageError(
                "there is no manual page \"\(name)\"" + NearestName.hint(for: name, among: names),
                remedy: "one of: " + names.joined(separator: ", "))
        }
        return page
    }

    private func text(of program: Program) throws(UsageError) -> String {
        if words.isEmpty { return HelpText.overview(of: program) }
        if words.count == 1 {
            let family = program.verbs.filter { $0.words[0] == words[0] }
            if family.count > 1 {
                // Where the word alone is a verb, its page, and what else begins with it.
                let own = family.first { $0.name == words[0] }
                let pages = own.map { [HelpText.page(for: $0, of: program)] } ?? []
                let index = HelpText.index(of: words[0], in: program, without: own)
                return (pages + [index]).joined(separator: "\n")
            }
        }
        let (type, count) = try program.find(words)
        guard count == words.count else {
            throw UsageError("unknown verb \"\(words.joined(separator: " "))\"")
        }
        return HelpText.page(for: type.verb, of: program)
    }

    /// The day that builds call today, so that the same source gives the same pages.
    ///
    /// - SeeAlso: <https://reproducible-builds.org/specs/source-date-epoch/>
    private static func date(_ environment: Environment) throws(UsageError) -> CivilDate {
        guard let text = environment.variable("SOURCE_DATE_EPOCH") else {
            return CivilDate(
                daysSince1970: Int(environment.wallClock.now.milliseconds / 86_400_000))
        }
        // Until the end of the year 9999.
        guard let seconds = Int(text), (0..<253_402_300_800).contains(seconds) else {
            throw UsageError("SOURCE_DATE_EPOCH is \"\(text)\"; expected seconds since 1970")
        }
        return CivilDate(daysSince1970: seconds / 86_400)
    }
}
