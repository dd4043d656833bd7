import Basics
import CommandLine
import Configuration
package import SweepEngine

/// What the live line says: a value that is told of events and rendered now and then.
package struct ProgressLine: Sendable {
    /// Who is asked.
    private let host: String
    private var progress = SweepProgress()
    private var note: String?
    /// Whether the note says that the server was not reached.
    private var isUnreachable = false
    private var passes = 0
    /// When the phase that runs began, and how many items were done then.
    private var phaseStart: Duration = .zero
    private var doneAtStart = 0
    /// When something was last heard.
    private var lastNews: Duration = .zero

    package init(host: String = "the server") { self.host = host }

    /// Whether anything was told that is worth a line.
    package private(set) var hasSomething = false

    /// Takes in an event.
    ///
    /// - Parameter elapsed: Since the run began.
    package mutating func tell(_ event: SweepEvent, at elapsed: Duration) {
        hasSomething = true
        lastNews = elapsed
        switch event {
        case .phaseBegan(let phase):
            progress.phase = phase
            phaseStart = elapsed
            doneAtStart = progress.itemsDone
            clearNote()
        case .progress(let latest):
            // A request that is neither in flight nor repeated was answered.
            if latest.requests - latest.inFlight - latest.retries
                > progress.requests - progress.inFlight - progress.retries
            {
                if isUnreachable { clearNote() }
            }
            progress = latest
        case .stepBegan:
            clearNote()
        case .waiting(_, _, .networkFailure, _, let attempt, let attempts):
            isUnreachable = true
            note = "waiting for \(host) to reply, attempt \(attempt + 1) of \(attempts)"
        case .waiting(_, _, let code, let wait, _, _):
            note = "waiting \(DurationText.render(wait)) (\(code.rawValue))"
        case .passEnded(let pass):
            passes = pass.number
            note = "pass \(pass.number): " + (pass.isClean ? "nothing found" : "\(pass.left) found")
        case .stepEnded, .phaseEnded, .discovered, .unlisted, .planned, .approved, .leftover:
            break
        }
    }

    private mutating func clearNote() {
        note = nil
        isUnreachable = false
    }

    /// A part of the line; where there is little room, those that matter less are left out.
    private struct Part {
        let text: String
        let rank: Int
    }

    /// How long nobody has to have answered for it to be said.
    private static let silence: Duration = .seconds(3)

    /// The line, cut to the width.
    package func text(at elapsed: Duration, width: Int) -> String {
        var parts = [Part(text: Self.verb(progress.phase), rank: 9)]
        if let note, isUnreachable {
            parts.append(Part(text: note, rank: 9))
        } else {
            parts += numbers(at: elapsed, width: width)
            if let waiting = note ?? silence(at: elapsed) {
                parts.append(Part(text: waiting, rank: 7))
            }
        }
        var line = Self.joined(parts)
        while line.count > width, parts.count > 2,
            let least = parts.indices.dropFirst().min(by: { left, right in
                (parts[left].rank, -left) < (parts[right].rank, -right)
            })
        {
            parts.remove(at: least)
            line = Self.joined(parts)
        }
        return line.count <= width ? line : String(line.prefix(max(1, width - 1))) + "…"
    }

    private static func joined(_ parts: [Part]) -> String {
        parts.map(\.text).joined(separator: " · ")
    }

    private func silence(at elapsed: Duration) -> String? {
        guard progress.inFlight > 0, elapsed - lastNews >= Self.silence else { return nil }
        return "no reply from \(host) for \((elapsed - lastNews).components.seconds) s"
    }

    private func numbers(at elapsed: Duration, width: Int) -> [Part] {
        var parts: [Part] = []
        switch progress.phase {
        case .inventory, .plan:
            parts.append(Part(text: "\(TextTable.grouped(progress.seen)) found", rank: 8))
        case .delete: parts += deleting(at: elapsed, width: width)
        case .export:
            parts.append(Part(text: "\(TextTable.grouped(progress.itemsDone)) records", rank: 8))
        case .verify:
            if note == nil { parts.append(Part(text: "pass \(passes + 1)", rank: 8)) }
        }
        if progress.failed > 0 {
            parts.append(Part(text: "\(TextTable.grouped(progress.failed)) failed", rank: 4))
        }
        parts.append(Part(text: "\(TextTable.grouped(progress.requests)) requests", rank: 3))
        if progress.retries > 0 {
            parts.append(Part(text: "\(TextTable.grouped(progress.retries)) retried", rank: 2))
        }
        return parts
    }

    /// Where there are fewer columns, numbers are worth more than a bar.
    private static let barWidthMin = 60

    private func deleting(at elapsed: Duration, width: Int) -> [Part] {
        let bar = width < Self.barWidthMin ? "" : Self.bar(progress) + " "
        let count =
            "\(bar)\(TextTable.grouped(progress.itemsDone))"
            + "/\(TextTable.grouped(progress.itemsTotal))"
        var parts = [Part(text: count, rank: 8)]
        let seconds = Double(DurationText.milliseconds(elapsed - phaseStart)) / 1000
        let done = Double(progress.itemsDone - doneAtStart)
        if seconds > 0.5, done > 0 {
            let rate = done / seconds
            parts.append(Part(text: "\(Self.rounded(rate))/s", rank: 6))
            let left = Double(progress.itemsTotal - progress.itemsDone) / rate
            if left >= 0, left < 8_640_000 {
                let time = DurationText.render(.seconds(Int64(left.rounded(.up))))
                parts.append(Part(text: time + " left", rank: 6))
            }
        }
        if progress.inFlight > 0 {
            parts.append(Part(text: "\(progress.inFlight) in progress", rank: 1))
        }
        return parts
    }

    private static func verb(_ phase: SweepPhase) -> String {
        switch phase {
        case .inventory: "scanning"
        case .plan: "planning"
        case .delete: "deleting"
        case .verify: "verifying"
        case .export: "exporting"
        }
    }

    private static func bar(_ progress: SweepProgress) -> String {
        let cells = 16
        let filled =
            progress.itemsTotal > 0
            ? min(cells, progress.itemsDone * cells / progress.itemsTotal) : 0
        return "[" + String(repeating: "#", count: filled)
            + String(repeating: "-", count: cells - filled) + "]"
    }

    private static func rounded(_ rate: Double) -> String {
        guard rate < 10 else { return TextTable.grouped(Int(min(rate, 1e15))) }
        let tenths = Int(rate * 10)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
