import Basics
import CommandLine

/// Prints help for one verb or all, or pages of the manual.
struct HelpCommand: Command {
    private static let format = Option(
        "as", value: .choice(["text", "mdoc"]),
        "text, or a manual page for \"man -l\" (default text)")

    static let verb = Verb(
        HelpText.verbName, "show help for a verb, or list all verbs",
        discussion: [
            "With --as mdoc, the pages are: "
                + Program.cksweep.pages.map { "\($0.name)(\($0.section))" }.joined(separator: ", ")
                + "; cksweep unless one is named. $SOURCE_DATE_EPOCH sets their date."
        ],
        positionals: [
            Positional(.text("VERB"), .any, "a verb, such as sweep or mock start, or a page")
        ],
        options: [format],
        examples: [
            .init("cksweep help sweep", "all about one verb"),
            .init("cksweep help --as mdoc cksweep-mock | man -l -", "a manual page"),
        ])
    private let words: [String]
    private let page: ManualPage?

    init(arguments: Arguments) throws(UsageError) {
        words = arguments.positionals
        guard arguments.text(Self.format) == "mdoc" else {
            page = nil
            return
        }
        let name = words.joined(separator: " ")
        let wanted = name.isEmpty ? Program.cksweep.pages[0].name : name
        guard let page = Program.cksweep.pages.first(where: { $0.name == wanted }) else {
            let names = Program.cksweep.pages.map(\.name)
            throw UsageError(
                "there is no manual page \"\(name)\"" + NearestName.hint(for: name, among: names),
                remedy: "one of: " + names.joined(separator: ", "))
        }
        self.page = page
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let program = environment.program
        if let page {
            environment.output.write(
                page.text(of: program, date: try Self.date(environment)))
            return .done
        }
        if words.isEmpty {
            environment.output.write(HelpText.overview(of: program))
            return .done
        }
        if words.count == 1 {
            let family = program.verbs.filter { $0.words[0] == words[0] }
            if family.count > 1 {
                // Where the word alone is a verb, its page, and what else begins with it.
                let own = family.first { $0.name == words[0] }
                let pages = own.map { [HelpText.page(for: $0, of: program)] } ?? []
                let index = HelpText.index(of: words[0], in: program, without: own)
                environment.output.write((pages + [index]).joined(separator: "\n"))
                return .done
            }
        }
        do throws(UsageError) {
            let (type, count) = try program.find(words)
            guard count == words.count else {
                throw UsageError("unknown verb \"\(words.joined(separator: " "))\"")
            }
            environment.output.write(HelpText.page(for: type.verb, of: program))
        } catch {
            throw CommandFailure(error)
        }
        return .done
    }

    /// The day that builds call today, so that the same source gives the same pages.
    ///
    /// - SeeAlso: <https://reproducible-builds.org/specs/source-date-epoch/>
    private static func date(_ environment: Environment) throws(CommandFailure) -> CivilDate {
        guard let text = environment.variable("SOURCE_DATE_EPOCH") else {
            return CivilDate(
                daysSince1970: Int(environment.wallClock.now.milliseconds / 86_400_000))
        }
        // Until the end of the year 9999.
        guard let seconds = Int(text), (0..<253_402_300_800).contains(seconds) else {
            throw CommandFailure(
                .usage, "SOURCE_DATE_EPOCH is \"\(text)\"; expected seconds since 1970")
        }
        return CivilDate(daysSince1970: seconds / 86_400)
    }
}
