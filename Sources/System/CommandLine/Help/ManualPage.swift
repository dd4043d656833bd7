package import Basics

/// A page of the manual, made from what ``HelpText`` is made from.
package struct ManualPage: Sendable {
    /// Such as `cksweep-containers`.
    package let name: String
    /// Of the manual: 1 for commands, 5 for file formats.
    package let section: Int
    /// What the page is about, in a line.
    let summary: String
    let description: [String]
    let content: Content

    package enum Content: Sendable {
        /// The program: the verbs that no other page has, and its files.
        case program(files: [Program.Row])
        /// The verbs that begin with one of these words.
        case verbs(Set<String>)
        /// The keys of a file, where it lies, and the lines of an example.
        case file(keys: [Program.Row], files: [Program.Row], example: [String])
    }

    package init(
        _ name: String, section: Int = 1, _ summary: String, description: [String],
        _ content: Content
    ) {
        self.name = name
        self.section = section
        self.summary = summary
        self.description = description
        self.content = content
    }

    /// Whether the page is about the program, and not about a family of verbs or a file.
    private var isOfProgram: Bool {
        if case .program = content { true } else { false }
    }

    /// First words of the verbs that the page explains.
    private var families: Set<String> {
        if case .verbs(let words) = content { words } else { [] }
    }

    /// Whether the page explains a verb.
    private func has(_ verb: Verb, of program: Program) -> Bool {
        let isInFamily = program.pages.contains { $0.families.contains(verb.words[0]) }
        return isOfProgram ? !isInFamily : families.contains(verb.words[0])
    }

    /// The page in mdoc.
    ///
    /// - Parameter date: When the pages were changed last.
    package func text(of program: Program, date: CivilDate) -> String {
        var page = Mdoc()
        page.macro("Dd", rest: Self.dateText(date))
        page.macro("Dt", rest: "\(name.uppercased()) \(section)")
        page.macro("Os", "\(program.name) \(program.version)")
        page.section("NAME")
        page.macro("Nm", name)
        page.macro("Nd", rest: Mdoc.escaped(summary))
        synopsis(program, &page)
        page.section("DESCRIPTION")
        for paragraph in description { page.paragraph(paragraph) }
        switch content {
        case .file(let keys, let files, let example):
            self.keys(keys, &page)
            page.section("FILES")
            page.list(files.map { ($0.name, $0.about) })
            page.section("EXAMPLES")
            page.literals(example)
        case .program(let files):
            groups(program, &page)
            verbs(program, &page)
            ends(program, files, &page)
        case .verbs: verbs(program, &page)
        }
        references(program, &page)
        return page.text
    }

    private func synopsis(_ program: Program, _ page: inout Mdoc) {
        guard section == 1 else { return }
        page.section("SYNOPSIS")
        guard isOfProgram else {
            for family in families.sorted() {
                page.macro("Nm", program.name, rest: "Cm \(family) Ar VERB Op Ar OPTIONS")
            }
            return
        }
        page.macro("Nm", program.name, rest: "Ar VERB Op Ar OPTIONS")
        page.macro("Nm", program.name, rest: "Cm help Op Ar VERB")
        page.macro("Nm", program.name, rest: "Fl \\-version")
    }

    // MARK: Verbs

    /// Every verb in its group.
    private func groups(_ program: Program, _ page: inout Mdoc) {
        page.section("VERBS")
        for group in program.groups {
            let members = group.names.compactMap { name in
                program.verbs.first { $0.name == name }
            }
            guard !members.isEmpty else { continue }
            page.subsection(Self.capitalised(group.title))
            page.list(members.map { (Self.words($0), Self.sentence($0.summary)) })
        }
    }

    private func verbs(_ program: Program, _ page: inout Mdoc) {
        let common = program.commonOptions
        page.section("USAGE")
        for verb in program.verbs where has(verb, of: program) {
            page.subsection("\(program.name) \(verb.name)")
            page.paragraph(Self.sentence(verb.summary))
            page.literal(HelpText.usage(of: verb, in: program))
            for paragraph in verb.discussion { page.paragraph(paragraph) }
            page.list(
                verb.positionals.map {
                    ("Ar \(Mdoc.argument($0.value.name))", Self.sentence($0.summary))
                })
            let options = verb.options.filter { !common.contains($0) }
            page.list(options.map { (Self.tag($0), Self.sentence($0.summary)) })
            let others = verb.options.filter { common.contains($0) }.map { "--\($0.name)" }
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
                page.literals(
                    verb.examples.flatMap { ["# \($0.purpose)", $0.line(of: program.name)] })
            }
        }
        page.section("COMMON OPTIONS")
        page.list(common.map { (Self.tag($0), Self.sentence($0.summary)) })
    }

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

    private func ends(_ program: Program, _ files: [Program.Row], _ page: inout Mdoc) {
        page.section("ENVIRONMENT")
        page.list(
            program.variables.map { ("Ev \($0.name)", Self.sentence($0.about)) })
        page.section("FILES")
        page.list(files.map { ($0.name, $0.about) })
        page.section("EXIT STATUS")
        page.list(program.exitCodes.map { ($0.name, Self.sentence($0.about)) })
    }

    private func keys(_ keys: [Program.Row], _ page: inout Mdoc) {
        page.section("KEYS")
        page.list(
            // Many begin with a value, which is spelled as it is.
            keys.map { ("Li \(Mdoc.argument($0.name, isLiteral: true))", $0.about) })
    }

    private func references(_ program: Program, _ page: inout Mdoc) {
        let others = program.pages.filter { $0.name != name }
            .sorted { ($0.section, $0.name) < ($1.section, $1.name) }
        guard !others.isEmpty else { return }
        page.section("SEE ALSO")
        for (index, other) in others.enumerated() {
            let comma = index == others.count - 1 ? "" : " ,"
            page.macro("Xr", other.name, rest: "\(other.section)\(comma)")
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
        let begun = first.allSatisfy { $0.isLowercase } ? capitalised(text) : text
        return begun.last.map { ".!?:".contains($0) } == true ? begun : begun + "."
    }
}
