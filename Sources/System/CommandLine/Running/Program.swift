import Basics

/// A program: its verbs, and what its help, its manual and its completions are made from.
package struct Program: Sendable {
    /// As it is typed, such as `cksweep`.
    package let name: String
    package let version: String
    /// What the program does.
    package let summary: String
    /// What to know before the first command.
    package let caution: String
    /// In the order of the help text.
    package let commands: [any Command.Type]
    /// First words of verbs that were renamed, and what to type now.
    package let renamed: [(old: String, new: String)]
    /// What a first-time user needs, in the order of use.
    package let firstSteps: VerbGroup
    /// Every verb is in one of these.
    package let groups: [VerbGroup]
    /// The environment variables that it reads.
    package let variables: [Row]
    package let exitCodes: [Row]
    /// The first is about the program itself.
    package let pages: [ManualPage]
    /// Options that so many verbs have that the manual explains them once.
    package let commonOptions: [Option]
    /// The names of a kind that this machine knows, for the words typed so far.
    package let names: @Sendable (KnownName, [String], Environment) async -> [Completions.Offer]

    /// A line of a table in help.
    package typealias Row = (name: String, about: String)

    /// Verbs that belong together.
    package struct VerbGroup: Sendable {
        let title: String
        let names: [String]

        package init(_ title: String, _ names: [String]) {
            self.title = title
            self.names = names
        }
    }

    package init(
        _ name: String, version: String, summary: String, caution: String,
        commands: [any Command.Type], renamed: [(old: String, new: String)] = [],
        firstSteps: VerbGroup, groups: [VerbGroup],
        variables: [Row], exitCodes: [Row], pages: [ManualPage], commonOptions: [Option],
        names: @escaping @Sendable (KnownName, [String], Environment) async -> [Completions.Offer]
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.caution = caution
        self.commands = commands
        self.renamed = renamed
        self.firstSteps = firstSteps
        self.groups = groups
        self.variables = variables
        self.exitCodes = exitCodes
        self.pages = pages
        self.commonOptions = commonOptions
        self.names = names
    }

    /// The version of every program of this package.
    package static let packageVersion = "0.1.0"

    package var verbs: [Verb] { commands.map { $0.verb } }

    /// Finds the verb that an argument list begins with, and how many words it takes.
    package func find(
        _ words: [String]
    ) throws(UsageError) -> (command: any Command.Type, wordCount: Int) {
        guard let first = words.first else { throw UsageError("no verb was given") }
        guard !first.hasPrefix("-") else {
            throw UsageError("\(first) is before the verb; options come after it")
        }
        let second = words.dropFirst().first
        if let second, let command = commands.first(where: { $0.verb.name == "\(first) \(second)" })
        {
            return (command, 2)
        }
        guard let command = commands.first(where: { $0.verb.name == first }) else {
            throw unknown(first, second)
        }
        // A word where this verb takes none is rather a misspelled second one.
        let isFamily = commands.contains { $0.verb.name.hasPrefix("\(first) ") }
        if isFamily, command.verb.positionals.isEmpty, let second, !second.hasPrefix("-") {
            throw unknown(first, second)
        }
        return (command, 1)
    }

    private func unknown(_ first: String, _ second: String?) -> UsageError {
        let pair = second.map { "\(first) \($0)" } ?? first
        let children = verbs.map { $0.words }.filter { $0.count == 2 && $0[0] == first }
        if !children.isEmpty {
            let names = children.map { $0[1] }
            guard let second, !second.hasPrefix("-") else {
                return UsageError(
                    "\"\(first)\" needs one of: \(names.joined(separator: ", "))",
                    remedy: "\"\(name) help \(first)\" describes them")
            }
            let near = NearestName.hint(for: second, among: names)
            return UsageError(
                "unknown verb \"\(pair)\"\(near)",
                remedy: near.isEmpty
                    ? "one of: " + names.joined(separator: ", ")
                    : "\"\(name) help \(first)\" lists the verbs")
        }
        if let new = renamed.first(where: { $0.old == first })?.new {
            return UsageError(
                "unknown verb \"\(first)\": it is now \"\(new)\"",
                remedy: "\"\(name) help \(new.prefix { $0 != " " })\" describes it")
        }
        var seen: Set<String> = []
        let names = verbs.map { $0.words[0] }.filter { seen.insert($0).inserted }
        return UsageError(
            "unknown verb \"\(first)\"\(NearestName.hint(for: first, among: names))",
            remedy: "\"\(name) help\" lists the verbs")
    }
}
