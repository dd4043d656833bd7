import AsyncOperations
import Basics
import CommandLine
import Configuration
import DonationSync
import SyncEngine

/// Shows how a sync goes: one live line, and an event for programs at once.
final class SyncDisplay: Sendable {
    private struct State {
        var report: SyncReport?
        var round = 0
        var note: String?
    }
    private let console: Console
    private let state: Locked<State>
    private let live: LiveLine

    init(_ console: Console) {
        self.console = console
        let state = Locked(State())
        self.state = state
        live = LiveLine(console) { _, width in
            state.withLock { Self.line($0, width: width) }
        }
    }

    /// Takes in what happened; may be called from any thread.
    func tell(_ event: SyncEvent) {
        state.withLock { state in
            switch event {
            case .roundBegan(let number):
                state.round = number
                state.note = nil
            case .progress(let report):
                state.report = report
                state.note = nil
            case .waiting(_, let why, _, let wait):
                state.note =
                    "\(SyncOutcome.words(why)): waiting \(DurationText.render(wait))"
            case .roundEnded: state.note = "idle"
            case .databaseBegan, .databaseEnded: break
            }
        }
        if let event = SyncEvents.event(event) { console.event(event) }
        if case .waiting(let address, let why, _, let wait) = event, console.isVerbose {
            live.erase()
            console.detail(
                "\(address): \(SyncOutcome.words(why)); retry in \(DurationText.render(wait))")
        }
    }

    func whileRunning<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
        await live.whileRunning(body)
    }

    func erase() { live.erase() }

    private static func line(_ state: State, width: Int) -> String? {
        guard let report = state.report else { return state.note }
        var parts = ["syncing"]
        if state.round > 1 { parts.append("round \(TextTable.grouped(state.round))") }
        parts += [
            "\(Counts.some(report.recordsSeen, "record")) seen",
            "\(Counts.some(report.removedCount, "donation")) removed",
        ]
        if report.uploaded + report.downloaded > 0 {
            parts.append(
                "\(TextTable.grouped(Int(report.uploaded))) sent, "
                    + "\(TextTable.grouped(Int(report.downloaded))) received")
        }
        parts.append(Counts.some(report.requests, "request"))
        if let note = state.note { parts.append(note) }
        var line = parts.joined(separator: " · ")
        while line.count > width, parts.count > 2 {
            parts.removeLast()
            line = parts.joined(separator: " · ")
        }
        return line.count <= width ? line : String(line.prefix(max(1, width - 1))) + "…"
    }
}

extension SyncReport {
    /// How many donations went, for whatever cause.
    var removedCount: Int { Int(removed.values.reduce(0, +)) }
}
