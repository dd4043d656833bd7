package import Basics
import FileSystem
import Host

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
            let sink = try environment.files.sink(path)
            environment.outlet.watch(sink, at: path)
            eventFile = sink
        } catch {
            throw CommandFailure(.usage, error.description)
        }
    }

    /// A result in words: shown unless events are asked for.
    package func result(_ text: String) {
        guard !isJSON else { return }
        // Of its bytes: "\r\n" is one character, and has a line feed at its end as well.
        environment.output.write(text.utf8.last == 0x0A ? text : text + "\n")
    }

    /// Results in words that nobody copies whole: broken where they are too wide.
    package func result(_ lines: [String]) { result(style.folded(lines).joined(separator: "\n")) }

    /// A result as rows below the names of their columns.
    package func table(_ columns: [String], _ rows: [[TextTable.Cell]]) {
        var table = TextTable()
        table.add(columns.map { .init($0, .faint) })
        for row in rows { table.add(row) }
        result(table.lines(style).joined(separator: "\n"))
    }

    /// A fact for programs.
    package func event(_ event: Event) {
        guard isJSON || eventFile != nil else { return }
        write(
            event.line(at: environment.wallClock.now, rehearsalAt: environment.outlet.rehearsal))
    }

    /// Writes a line of JSON, which is made only if events were requested. With nil, nothing is written.
    package func eventLine(_ line: (_ time: Timestamp) -> String?) {
        guard isJSON || eventFile != nil else { return }
        if let line = line(environment.wallClock.now) { write(line) }
    }

    private func write(_ line: String) {
        if isJSON { environment.output.write(line) }
        eventFile?.write(line)
    }

    /// Something good to know; not with `--quiet`.
    package func note(_ text: String) {
        if !isQuiet { environment.say(Visible.text(text, keepsLines: true)) }
    }

    /// Lines to copy, never broken: a terminal wraps what is too wide, and what is pasted is whole. Not with
    /// `--quiet`.
    package func noteToCopy(_ text: String) {
        if !isQuiet { environment.errors.write(Visible.text(text, keepsLines: true) + "\n") }
    }

    /// Only with `--verbose`.
    package func detail(_ text: String) {
        guard isVerbose else { return }
        let shown = Visible.text(text, keepsLines: true)
        environment.errors.write(errorStyle.text(shown, .faint) + "\n")
    }

    package func warning(_ text: String) {
        let word = "warning:"
        environment.say(
            " " + Visible.text(text, keepsLines: true),
            head: (word, errorStyle.text(word, .caution)))
        event(Event("warning", [.init("message", text)]))
    }
}
