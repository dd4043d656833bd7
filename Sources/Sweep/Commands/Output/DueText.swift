import Basics
import CommandLine
import DeletionPlanning
import Journal
import SweepEngine

/// Requests that are open, for people and programs.
struct DueText: Sendable {
    private let now: Timestamp

    init(at now: Timestamp) { self.now = now }

    /// `of 2026-01-31, due 2026-02-28 (gdpr)`
    static func words(_ request: ErasureRequest) -> String {
        "received \(request.receivedOn.iso8601), due \(request.due.iso8601) "
            + "(\(request.regime.rawValue))"
    }

    /// The requests of a state folder that are open, sorted by their last days.
    static func requests(
        in folder: String, _ environment: Environment
    ) async throws(CommandFailure) -> [DueRequest] {
        guard environment.files.facts(folder) != nil else { return [] }
        do throws(JournalError) {
            return try await SweepHistory(stateFolder: folder).dueRequests()
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Shows them, a line each.
    func show(_ requests: [DueRequest], _ console: Console) {
        guard !requests.isEmpty else {
            console.result("No request is open.")
            return
        }
        var table = TextTable()
        table.add(
            ["due", "left", "law", "received", "if extended", "newest run"].map {
                TextTable.Cell($0, .faint)
            })
        for due in requests {
            let request = due.request
            table.add([
                .init(request.due.iso8601), left(request), .init(request.regime.rawValue),
                .init(request.receivedOn.iso8601), .init(request.dueIfExtended.iso8601),
                .init(due.runID),
            ])
            console.event(event(due))
        }
        console.result(table.lines(console.style).joined(separator: "\n"))
    }

    /// `3 days`, `today`, `OVERDUE 2 days`
    private func left(_ request: ErasureRequest) -> TextTable.Cell {
        let days = request.daysLeft(at: now)
        if days < 0 { return .init("OVERDUE \(Counts.some(-days, "day"))", .bad) }
        return days == 0 ? .init("today", .bad) : .init(Counts.some(days, "day"))
    }

    private func event(_ due: DueRequest) -> Event {
        Event(
            "due_request",
            [
                .init("run", due.runID), .init("received", due.request.receivedOn.iso8601),
                .init("regime", due.request.regime.rawValue),
                .init("due", due.request.due.iso8601),
                .init("dueIfExtended", due.request.dueIfExtended.iso8601),
                .init("daysLeft", due.request.daysLeft(at: now)),
                .init("environment", due.environment.rawValue), .init("server", due.server?.url),
                .init("rehearsal", due.server?.isRehearsal ?? false),
                .init("containers", .list(due.containers.map { .text($0.rawValue) })),
                .init("status", due.status.map { .number(Int($0.rawValue)) } ?? .null),
                .init("canResume", due.canResume),
            ])
    }
}
