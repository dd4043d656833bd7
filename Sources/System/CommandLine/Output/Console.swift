package import CloudModel
package import CommandTable
import FileSystem
import Host
package import SweepEngine

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

    /// Says that everything from here on is about a rehearsal, where it is one: in the first line
    /// and the last, and in every event.
    ///
    /// - Parameter marksText: Without it only events say so.
    package func begin(at server: ServerFacts, marksText: Bool = true) {
        guard server.isRehearsal, environment.outlet.rehearsal == nil else { return }
        environment.outlet.begin(rehearsalAt: server)
        guard marksText else { return }
        let line = style.text("REHEARSAL", .caution) + " at \(server.url), not Apple's service"
        if !isQuiet { result(line) }
        environment.outlet.atEnd { if !environment.outlet.hasVerdict { result(line) } }
    }

    /// How a run ended: nothing is said after it.
    func verdict(_ verdict: VerdictText) {
        let text = verdict.lines(style).joined(separator: "\n")
        environment.outlet.giveVerdict { result(text) }
    }

    /// A result in words: shown unless events are asked for.
    package func result(_ text: String) {
        guard !isJSON else { return }
        // Of its bytes: "\r\n" is one character, and has a line feed at its end as well.
        environment.output.write(text.utf8.last == 0x0A ? text : text + "\n")
    }

    /// Results in words that nobody copies whole: broken where they are too wide.
    func result(_ lines: [String]) { result(style.folded(lines).joined(separator: "\n")) }

    /// A report in words: in a few lines, whole with `--verbose`, or its verdict alone with `--quiet`.
    func show(_ report: SweepReport, followUpFailed: Bool = false) {
        let verdict = VerdictText(
            report, followUpFailed: followUpFailed, at: environment.outlet.rehearsal)
        if isVerbose {
            result(ReportText(report, style).text)
        } else if !isQuiet {
            // The verdict, and in the first line that it is a rehearsal.
            let others = verdict.lines(style).count + (environment.outlet.rehearsal == nil ? 0 : 1)
            let lines = SummaryText(report, style, linesElsewhere: others).lines
            if !lines.isEmpty { result(lines.joined(separator: "\n")) }
        }
        self.verdict(verdict)
    }

    /// A fact for programs.
    package func event(_ event: Event) {
        guard isJSON || eventFile != nil else { return }
        write(
            event.line(at: environment.wallClock.now, rehearsalAt: environment.outlet.rehearsal))
    }

    /// A fact for programs that the engine puts into words.
    package func event(_ line: (EventStamp) -> [UInt8]?) {
        guard isJSON || eventFile != nil else { return }
        let stamp = EventStamp(
            at: environment.wallClock.now, rehearsalAt: environment.outlet.rehearsal)
        if let line = line(stamp) { write(String(decoding: line, as: UTF8.self) + "\n") }
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
    func noteToCopy(_ text: String) {
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
