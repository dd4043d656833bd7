/// A command to go on with.
package struct NextStep: Sendable {
    /// What it is for, such as `To go on`.
    let label: String
    let words: [String]

    package init(label: String, words: [String]) {
        self.label = label
        self.words = words
    }
}

extension Environment {
    /// Says something on standard error.
    ///
    /// On a terminal, lines are broken between words; elsewhere each stays whole, for who searches in it.
    ///
    /// - Parameters:
    ///   - head: What it begins with, as it is shown, such as a coloured `warning: `.
    ///   - text: What others made up has been made visible in it.
    package func say(_ text: String, head: (text: String, shown: String) = ("", "")) {
        var said = head.text + text
        if terminal.errorsIsTerminal, let columns = terminal.width() {
            let style = Style(isColored: false, columns: columns)
            let lines = said.split(separator: "\n", omittingEmptySubsequences: false)
            said = style.folded(lines.map { String($0) }).joined(separator: "\n")
        }
        errors.write(head.shown + said.dropFirst(head.text.count) + "\n")
    }

    /// Says a command that somebody may copy: where it is broken a shell goes on reading.
    package func say(_ step: NextStep) {
        let label = step.label + ": "
        let words = step.words.map { ShellWord.quoted($0) }
        let line = label + words.joined(separator: " ")
        guard terminal.errorsIsTerminal, let columns = terminal.width(), line.count > columns else {
            errors.write(line + "\n")
            return
        }
        var lines = [label + words[0]]
        for word in words.dropFirst() {
            let isValue = !word.hasPrefix("-")
            if isValue || lines[lines.count - 1].count + word.count + 3 <= columns {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append("    " + word)
            }
        }
        errors.write(lines.joined(separator: " \\\n") + "\n")
    }
}
