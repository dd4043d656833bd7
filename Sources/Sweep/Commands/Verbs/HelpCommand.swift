import Basics
import CommandTable
import Configuration

/// Prints help for one verb or all, or pages of the manual.
struct HelpCommand: Command {
    private static let format = Option(
        "as", value: .choice(["text", "mdoc"]),
        "text, or a manual page for \"man -l\" (default text)")

    static let verb = Verb(
        HelpText.verbName, "show help for a verb, or list all verbs",
        discussion: [
            "With --as mdoc, the pages are: "
                + ManualPage.allCases.map { "\($0.rawValue)(\($0.section))" }.joined(
                    separator: ", ")
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
        guard let page = ManualPage(rawValue: name.isEmpty ? "cksweep" : name) else {
            let names = ManualPage.allCases.map(\.rawValue)
            throw UsageError(
                "there is no manual page \"\(name)\"" + NearestName.hint(for: name, among: names),
                remedy: "one of: " + names.joined(separator: ", "))
        }
        self.page = page
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        if let page {
            environment.output.write(page.text(try Self.facts(environment)))
            return .done
        }
        if words.isEmpty {
            environment.output.write(HelpText.overview(verbs: VerbTable.verbs))
            return .done
        }
        if words.count == 1 {
            let family = VerbTable.verbs.filter { $0.words[0] == words[0] }
            if family.count > 1 {
                // Where the word alone is a verb, its page, and what else begins with it.
                let own = family.filter { $0.name == words[0] }.map { HelpText.page(for: $0) }
                let others = family.filter { $0.name != words[0] }
                environment.output.write(
                    (own + [HelpText.index(of: words[0], verbs: others)]).joined(separator: "\n"))
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

    private static func facts(
        _ environment: Environment
    ) throws(CommandFailure) -> ManualPage.Facts {
        ManualPage.Facts(
            verbs: VerbTable.verbs, version: Tool.version, date: try date(environment),
            keys: ContainerListKeys.rows.map(\.plain))
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
