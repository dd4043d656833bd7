package import CloudModel
import CommandLine
package import SweepEngine

extension Console {
    /// Says that everything from here on is about a rehearsal, where it is one: in the first line
    /// and the last, and in every event.
    ///
    /// - Parameter marksText: Without it only events say so.
    package func begin(at server: ServerFacts, marksText: Bool = true) {
        guard server.isRehearsal, environment.outlet.rehearsal == nil else { return }
        environment.outlet.begin(rehearsalAt: server.url)
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

    /// A report in words: in a few lines, whole with `--verbose`, or its verdict alone with `--quiet`.
    func show(_ report: SweepReport, followUpFailed: Bool = false) {
        let verdict = VerdictText(
            report, followUpFailed: followUpFailed, at: environment.outlet.rehearsalServer)
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

    /// A fact for programs that the engine puts into words.
    package func event(_ line: (EventStamp) -> [UInt8]?) {
        eventLine { time in
            let stamp = EventStamp(at: time, rehearsalAt: environment.outlet.rehearsalServer)
            return line(stamp).map { String(decoding: $0, as: UTF8.self) + "\n" }
        }
    }
}

extension Outlet {
    /// The server of a rehearsal; nil: none, or not known yet.
    var rehearsalServer: ServerFacts? {
        rehearsal.map { ServerFacts(url: $0, isRehearsal: true) }
    }
}
