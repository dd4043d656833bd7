import CloudModel
import Configuration
package import SweepEngine

/// What the live line says: a value that is told of events and rendered now and then.
package struct ProgressLine: Sendable {
    private var progress = SweepProgress()
    private var note: String?
    /// When the phase that runs began, and how many items were done then.
    private var phaseStart: Duration = .zero
    private var doneAtStart = 0
    private var requestsAtStart = 0

    package init() {}

    /// Whether anything was told that is worth a line.
    package private(set) var hasSomething = false

    /// Takes in an event.
    ///
    /// - Parameter elapsed: Since the run began.
    package mutating func tell(_ event: SweepEvent, at elapsed: Duration) {
        hasSomething = true
        switch event {
        case .phaseBegan(let phase):
            progress.phase = phase
            phaseStart = elapsed
            doneAtStart = progress.itemsDone
            requestsAtStart = progress.requests
            note = nil
        case .progress(let latest):
            progress = latest
        case .stepBegan:
            note = nil
        case .waiting(_, _, let code, let wait, _):
            note = "waiting \(DurationText.render(wait)) (\(code.rawValue))"
        case .passEnded(let pass):
            note = "pass \(pass.number): " + (pass.isClean ? "nothing found" : "\(pass.left) found")
        case .stepEnded, .phaseEnded, .discovered, .unlisted, .planned, .approved, .leftover:
            break
        }
    }

    /// The line, cut to the width.
    package func text(at elapsed: Duration, width: Int) -> String {
        var parts = [Self.verb(progress.phase)]
        let seconds = Double(DurationText.milliseconds(elapsed - phaseStart)) / 1000
        switch progress.phase {
        case .inventory, .plan:
            parts.append("\(TextTable.grouped(progress.seen)) seen")
        case .delete:
            let bar = width < Self.barWidthMin ? "" : Self.bar(progress) + " "
            parts.append(
                "\(bar)\(TextTable.grouped(progress.itemsDone))"
                    + "/\(TextTable.grouped(progress.itemsTotal))")
            let done = Double(progress.itemsDone - doneAtStart)
            if seconds > 0.5, done > 0 {
                let rate = done / seconds
                parts.append("\(Self.rounded(rate))/s")
                let left = Double(progress.itemsTotal - progress.itemsDone) / rate
                if left >= 0, left < 8_640_000 {
                    parts.append(DurationText.render(.seconds(Int64(left.rounded(.up)))) + " left")
                }
            }
            if progress.inFlight > 0 { parts.append("\(progress.inFlight) under way") }
        case .export:
            parts.append("\(TextTable.grouped(progress.itemsDone)) records")
        case .verify:
            break
        }
        if progress.failed > 0 { parts.append("\(TextTable.grouped(progress.failed)) failed") }
        parts.append("\(TextTable.grouped(progress.requests)) requests")
        if progress.retries > 0 { parts.append("\(TextTable.grouped(progress.retries)) repeated") }
        if let note { parts.append(note) }
        // The last parts matter least; a part is left out rather than cut.
        var line = parts.joined(separator: " · ")
        while line.count > width, parts.count > 2 {
            parts.removeLast()
            line = parts.joined(separator: " · ")
        }
        return line.count <= width ? line : String(line.prefix(max(1, width - 1))) + "…"
    }

    /// Where there are fewer columns, numbers are worth more than a bar.
    private static let barWidthMin = 60

    private static func verb(_ phase: SweepPhase) -> String {
        switch phase {
        case .inventory: "looking"
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
