/// Asks for a phrase to be typed before something is done for good. The default is no.
struct PhraseQuestion {
    let console: Console
    /// What no means, such as `nothing is deleted`.
    let otherwise: String

    /// How long somebody may think.
    static let timeMax: Duration = .seconds(300)

    /// Shows `text`, asks for the phrase, and returns what was typed.
    ///
    /// - Parameter instead: What to say where there is no terminal to ask at.
    /// - Returns: nil at the end of input, when time is up, and without a terminal.
    func answer(to text: String, phrase: String, instead: String) async -> String? {
        let environment = console.environment
        guard environment.terminal.inputIsTerminal, environment.terminal.errorsIsTerminal else {
            environment.errors.write("There is no terminal to ask at\(instead)\n")
            return nil
        }
        environment.errors.write(
            "\(text)\nType \(console.errorStyle.text("\"\(phrase)\"", .strong)) to go on: ")
        guard let line = await environment.input.line(within: Self.timeMax) else {
            if !Task.isCancelled { environment.errors.write("\nNo answer; \(otherwise).\n") }
            return nil
        }
        return line.drop { $0.isWhitespace }.trimmingBlank
    }

    /// Whether the phrase is typed; says so when another is.
    func isConfirmed(_ text: String, phrase: String, instead: String) async -> Bool {
        guard let typed = await answer(to: text, phrase: phrase, instead: instead) else {
            return false
        }
        if typed != phrase {
            console.environment.errors.write("That is not the phrase; \(otherwise).\n")
        }
        return typed == phrase
    }
}
