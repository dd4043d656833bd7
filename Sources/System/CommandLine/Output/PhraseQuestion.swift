/// Asks for a phrase to be typed before something is done for good. The default is no.
package struct PhraseQuestion {
    let console: Console
    /// What no means, such as `nothing is deleted`.
    let otherwise: String

    package init(console: Console, otherwise: String) {
        self.console = console
        self.otherwise = otherwise
    }

    /// How long somebody may think.
    package static let timeMax: Duration = .seconds(300)

    /// How often it may be typed before the answer is no.
    package static let attemptsMax = 3

    /// Shows `text`, asks for the phrase, again when it is mistyped, and returns what was typed last.
    ///
    /// - Parameter instead: What to say where there is no terminal to ask at.
    /// - Returns: nil at the end of input, when time is up, for an empty line, and without a terminal.
    package func answer(to text: String, phrase: String, instead: String) async -> String? {
        let environment = console.environment
        guard environment.terminal.inputIsTerminal, environment.terminal.errorsIsTerminal else {
            environment.errors.write("There is no terminal to prompt at\(instead)\n")
            return nil
        }
        environment.errors.write(
            "\(text)\nType \(console.errorStyle.text("\"\(phrase)\"", .strong)) to continue: ")
        var typed = ""
        for left in (0..<Self.attemptsMax).reversed() {
            guard let line = await environment.input.line(within: Self.timeMax) else {
                if !Task.isCancelled { environment.errors.write("\nNo answer; \(otherwise).\n") }
                return nil
            }
            typed = line.drop { $0.isWhitespace }.trimmingBlank
            if typed == phrase || left == 0 { break }
            guard !typed.isEmpty else {
                environment.errors.write("Nothing was typed; \(otherwise).\n")
                return nil
            }
            let tries = left == 1 ? "once more" : "again"
            environment.errors.write(
                "That is not the phrase. Type it \(tries), or nothing to cancel: ")
        }
        return typed
    }

    /// Whether the phrase is typed; says so when another is.
    package func isConfirmed(_ text: String, phrase: String, instead: String) async -> Bool {
        guard let typed = await answer(to: text, phrase: phrase, instead: instead) else {
            return false
        }
        if typed != phrase {
            console.environment.errors.write("That is not the phrase; \(otherwise).\n")
        }
        return typed == phrase
    }
}
