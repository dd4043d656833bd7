/// All that is to know about one verb: its row of the argument table.
package struct Verb: Sendable {
    /// One word, or two such as `evidence init`.
    package let name: String
    /// One line.
    package let summary: String
    /// Paragraphs below the usage line.
    package let discussion: [String]
    package let positionals: [Positional]
    package let options: [Option]
    package let examples: [Example]
    package let sections: [Section]

    package init(
        _ name: String, _ summary: String, discussion: [String] = [],
        positionals: [Positional] = [], options: [Option] = [], examples: [Example] = [],
        sections: [Section] = []
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.positionals = positionals
        self.options = options
        self.examples = examples
        self.sections = sections
    }

    /// A table of its own in the help text, below the options.
    package struct Section: Sendable {
        package let title: String
        package let rows: [(name: String, about: String)]

        package init(_ title: String, _ rows: [(name: String, about: String)]) {
            self.title = title
            self.rows = rows
        }
    }

    /// A command line and what it is for.
    package struct Example: Sendable {
        /// Where it says `PROGRAM`, the name of the program is meant: some verbs are those of several.
        private let line: String
        package let purpose: String

        package init(_ line: String, _ purpose: String) {
            self.line = line
            self.purpose = purpose
        }

        /// The line as one types it.
        package func line(of program: String) -> String {
            line.replacing("PROGRAM", with: program)
        }
    }

    package var words: [String] { name.split(separator: " ").map { String($0) } }

    /// Whether everything after the verb goes to another program as it is.
    var handsOn: Bool { positionals.contains { $0.arity == .rest } }

    /// Every option, those of all verbs included; none where another program gets them.
    package var allOptions: [Option] { handsOn ? [] : options + [CommonOptions.help] }
}
