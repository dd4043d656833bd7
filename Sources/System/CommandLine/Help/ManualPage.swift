package import Basics

/// A page of the manual, made from the table that ``HelpText`` is made from.
package enum ManualPage: String, CaseIterable, Sendable {
    case command = "cksweep"
    case mock = "cksweep-mock"
    case donations = "cksweep-donations"
    case containers = "cksweep-containers"

    /// Of the manual: commands, or file formats.
    package var section: Int { self == .containers ? 5 : 1 }

    /// What the page is about, in a line.
    private var summary: String {
        switch self {
        case .command: "delete everything an app stores about a user in CloudKit, and verify it"
        case .mock: "CloudKit Web Services for rehearsals and client tests"
        case .donations: "donations to Siri and Spotlight, synchronized with the cloud"
        case .containers: "list of the containers of an app"
        }
    }

    private var description: [String] {
        switch self {
        case .command: HelpText.introduction
        case .mock:
            [
                "The mock server implements CloudKit Web Services over TLS, with durable "
                    + "storage, faults and a request journal. It listens on this machine only."
            ]
        case .donations:
            [
                "A local store holds an app's interactions, user activities and searchable "
                    + "items on this machine. These verbs delete from it by Apple's rules and apply "
                    + "deletions made in the app's containers."
            ]
        case .containers:
            [
                "A container list names every CloudKit container that an app stores data in. It "
                    + "is a JSON file; an unknown or repeated key is an error with line and column. "
                    + "It never contains secrets."
            ]
        }
    }

    /// First words of the verbs that the page explains; nil: all that no other page does.
    private var families: Set<String>? {
        switch self {
        case .command: nil
        case .mock: ["mock"]
        case .donations: ["donations", "sync"]
        case .containers: []
        }
    }

    /// The page that explains a verb.
    private static func of(_ verb: Verb) -> ManualPage {
        allCases.first { $0.families?.contains(verb.words[0]) == true } ?? .command
    }

    /// What a page is made of besides the table of verbs.
    package struct Facts: Sendable {
        let verbs: [Verb]
        let version: String
        let date: CivilDate
        let keys: [(name: String, about: String)]

        /// - Parameters:
        ///   - date: When the pages were changed last.
        ///   - keys: Those of a container list.
        package init(
            verbs: [Verb], version: String, date: CivilDate,
            keys: [(name: String, about: String)]
        ) {
            self.verbs = verbs
            self.version = version
            self.date = date
            self.keys = keys
        }
    }

    /// The page in mdoc.
    package func text(_ facts: Facts) -> String {
        var page = Mdoc()
        page.macro("Dd", rest: Self.dateText(facts.date))
        page.macro("Dt", rest: "\(rawValue.uppercased()) \(section)")
        page.macro("Os", "cksweep \(facts.version)")
        page.section("NAME")
        page.macro("Nm", rawValue)
        page.macro("Nd", rest: Mdoc.escaped(summary))
        if self != .containers { synopsis(&page) }
        page.section("DESCRIPTION")
        for paragraph in description { page.paragraph(paragraph) }
        switch self {
        case .containers: keys(facts, &page)
        case .command:
            groups(facts, &page)
            verbs(facts, &page)
            ends(&page)
        case .mock, .donations: verbs(facts, &page)
        }
        references(&page)
        return page.text
    }

    private func synopsis(_ page: inout Mdoc) {
        page.section("SYNOPSIS")
        switch self {
        case .command:
            page.macro("Nm", "cksweep", rest: "Ar VERB Op Ar OPTIONS")
            page.macro("Nm", "cksweep", rest: "Cm help Op Ar VERB")
            page.macro("Nm", "cksweep", rest: "Fl \\-version")
        default:
            for family in (families ?? []).sorted() {
                page.macro("Nm", "cksweep", rest: "Cm \(family) Ar VERB Op Ar OPTIONS")
            }
        }
    }

    // MARK: Verbs

    /// Every verb in its group, with the page that tells more.
    private func groups(_ facts: Facts, _ page: inout Mdoc) {
        page.section("VERBS")
        for group in HelpText.groups {
            let members = group.names.compactMap { name in facts.verbs.first { $0.name == name } }
            guard !members.isEmpty else { continue }
            page.subsection(Self.capitalised(group.title))
            page.list(members.map { (Self.words($0), Self.sentence($0.summary)) })
        }
    }

    private func verbs(_ facts: Facts, _ page: inout Mdoc) {
        page.section("USAGE")
        for verb in facts.verbs where Self.of(verb) == self {
            page.subsection("cksweep \(verb.name)")
            page.paragraph(Self.sentence(verb.summary))
            page.literal(HelpText.usage(of: verb, prefix: ""))
            for paragraph in verb.discussion { page.paragraph(paragraph) }
            page.list(
                verb.positionals.map {
                    ("Ar \(Mdoc.argument($0.value.name))", Self.sentence($0.summary))
                })
            let options = verb.options.filter { !Self.common.contains($0) }
            page.list(options.map { (Self.tag($0), Self.sentence($0.summary)) })
            let others = verb.options.filter { Self.common.contains($0) }.map { "--\($0.name)" }
            if !others.isEmpty {
                page.paragraph("Also, as below: \(others.joined(separator: ", ")).")
            }
            for section in verb.sections {
                page.paragraph(Self.capitalised(section.title) + ":")
                page.list(
                    section.rows.map {
                        ("Li \(Mdoc.argument($0.name, isLiteral: true))", Self.sentence($0.about))
                    })
            }
            if !verb.examples.isEmpty {
                page.literals(verb.examples.flatMap { ["# \($0.purpose)", $0.line] })
            }
        }
        page.section("COMMON OPTIONS")
        page.list(Self.common.map { (Self.tag($0), Self.sentence($0.summary)) })
    }

    /// Options that so many verbs have that they are explained once.
    private static let common =
        CommonOptions.output + CommonOptions.scope + [
            CommonOptions.parallelism, CommonOptions.help,
        ]

    /// `Fl c , Fl \-config Ar FILE`
    private static func tag(_ option: Option) -> String {
        let short = option.short.map { "Fl \\&\($0) , " } ?? ""
        let value = option.value.map { " Ar \(Mdoc.argument($0.name))" } ?? ""
        return "\(short)Fl \\-\(Mdoc.escaped(option.name, isLiteral: true))\(value)"
    }

    private static func words(_ verb: Verb) -> String {
        "Cm " + verb.words.map { Mdoc.argument($0) }.joined(separator: " ")
    }

    // MARK: The rest

    private func ends(_ page: inout Mdoc) {
        page.section("ENVIRONMENT")
        page.list(
            HelpText.variables.map { ("Ev \($0.0)", Self.sentence($0.1)) })
        page.section("FILES")
        page.list([
            ("Pa ~/.local/state/cksweep", "The state folder: runs, evidence, sign-ins."),
            ("Pa Containers/*.json", "The container list, if there is only one."),
        ])
        page.section("EXIT STATUS")
        page.list(HelpText.exitCodes.map { ("\($0.0)", Self.sentence($0.1)) })
    }

    private func keys(_ facts: Facts, _ page: inout Mdoc) {
        page.section("KEYS")
        page.list(
            // Many begin with a value, which is spelled as it is.
            facts.keys.map {
                ("Li \(Mdoc.argument($0.name, isLiteral: true))", $0.about)
            })
        page.section("FILES")
        page.list([
            (
                "Pa Containers/*.json",
                "The default list when -c is not given, if there is only one."
            )
        ])
        page.section("EXAMPLES")
        page.literals([
            "{", "  \"version\": 1,", "  \"application\": \"com.example.notes\",",
            "  \"environment\": \"development\",",
            "  \"containers\": [{ \"identifier\": \"iCloud.com.example.notes\", \"default\": true }],",
            "  \"credentials\": {", "    \"apiToken\": \"env:CKSWEEP_API_TOKEN\",",
            "    \"webAuthToken\": \"login\"", "  }", "}",
        ])
    }

    private func references(_ page: inout Mdoc) {
        page.section("SEE ALSO")
        let others = Self.allCases.filter { $0 != self }
            .sorted { ($0.section, $0.rawValue) < ($1.section, $1.rawValue) }
        for (index, other) in others.enumerated() {
            let comma = index == others.count - 1 ? "" : " ,"
            page.macro("Xr", other.rawValue, rest: "\(other.section)\(comma)")
        }
    }

    /// `November 25, 2026`
    private static func dateText(_ date: CivilDate) -> String {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September",
            "October", "November", "December",
        ]
        return "\(months[date.month - 1]) \(date.day), \(date.year)"
    }

    private static func capitalised(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// A line of a table as a sentence.
    private static func sentence(_ text: String) -> String {
        let first = text.prefix { $0 != " " && $0 != "," }
        let isWord = first.allSatisfy { $0.isLowercase } && first != "cksweep"
        let begun = isWord ? capitalised(text) : text
        return begun.last.map { ".!?:".contains($0) } == true ? begun : begun + "."
    }
}
