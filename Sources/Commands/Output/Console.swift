import FileSystem

/// What a verb says, and to whom: text or JSON events on standard output, the rest on standard
/// error.
package struct Console: Sendable {
    package let environment: Environment
    /// For standard output.
    package let style: Style
    /// For standard error.
    package let errorStyle: Style
    package let isJSON: Bool
    package let isQuiet: Bool
    package let isVerbose: Bool
    private let eventFile: (any TextSink)?

    /// Reads the output options.
    package init(
        _ arguments: Arguments, in environment: Environment
    ) throws(CommandFailure) {
        self.environment = environment
        isJSON = arguments.has(CommonOptions.json)
        isQuiet = arguments.has(CommonOptions.quiet)
        isVerbose = arguments.has(CommonOptions.verbose)
        let wish = arguments.text(CommonOptions.color)
        style = Style.decide(
            wish, isTerminal: environment.terminal.outputIsTerminal, in: environment)
        errorStyle = Style.decide(
            wish, isTerminal: environment.terminal.errorsIsTerminal, in: environment)
        guard let path = arguments.text(CommonOptions.jsonInto) else {
            eventFile = nil
            return
        }
        do throws(FileError) {
            eventFile = try environment.files.sink(path)
        } catch {
            throw CommandFailure(.usage, error.description)
        }
    }

    /// A result in words: shown unless events are asked for.
    package func result(_ text: String) {
        guard !isJSON else { return }
        environment.output.write(text.hasSuffix("\n") ? text : text + "\n")
    }

    /// A fact for programs.
    package func event(_ event: Event) {
        guard isJSON || eventFile != nil else { return }
        let line = event.line(at: environment.wallClock.now)
        if isJSON { environment.output.write(line) }
        eventFile?.write(line)
    }

    /// Something good to know; not with `--quiet`.
    package func note(_ text: String) {
        if !isQuiet { environment.errors.write(Visible.text(text, keepsLines: true) + "\n") }
    }

    /// Only with `--verbose`.
    package func detail(_ text: String) {
        guard isVerbose else { return }
        let shown = Visible.text(text, keepsLines: true)
        environment.errors.write(errorStyle.text(shown, .faint) + "\n")
    }

    package func warning(_ text: String) {
        let shown = Visible.text(text, keepsLines: true)
        environment.errors.write(errorStyle.text("warning:", .caution) + " \(shown)\n")
        event(Event("warning", [.init("message", text)]))
    }
}
