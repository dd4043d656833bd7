import Basics
import CommandLine
import Journal
import SweepEngine

/// Finds runs by what people type: the whole ID, its beginning, or `last`.
enum RunFinder {
    /// The ID meant by `text`; nil when nothing was typed.
    ///
    /// - Parameter isMeant: What `last` can mean: the newest of these.
    static func find(
        _ text: String?, in stateFolder: String,
        last isMeant: (SweepHistory.Entry) -> Bool = { _ in true }
    ) async throws(CommandFailure) -> String? {
        guard let text else { return nil }
        return try choose(
            text, among: try await all(in: stateFolder), in: stateFolder, last: isMeant)
    }

    /// The ID of the run meant by `text`.
    static func choose(
        _ text: String, among entries: [SweepHistory.Entry], in stateFolder: String,
        last isMeant: (SweepHistory.Entry) -> Bool = { _ in true }
    ) throws(CommandFailure) -> String {
        if text == "last" {
            if let last = entries.first(where: isMeant) { return last.runID }
            throw CommandFailure(
                .usage,
                entries.isEmpty
                    ? "there is no run in \(stateFolder)"
                    : "no run in \(stateFolder) is a valid \"last\" for this verb",
                remedy: "\"cksweep runs\" lists them")
        }
        let runs = entries.map { $0.runID }
        if runs.contains(text) { return text }
        let matches = runs.filter { $0.hasPrefix(text) }
        if matches.count == 1 { return matches[0] }
        if matches.isEmpty {
            throw CommandFailure(
                .usage,
                "there is no run \"\(text)\" in \(stateFolder)"
                    + NearestName.hint(for: text, among: runs),
                remedy: "\"cksweep runs\" lists them")
        }
        throw CommandFailure(.usage, "\(matches.count) runs begin with \"\(text)\"")
    }

    /// The runs, newest first.
    ///
    /// - Parameter limit: nil: all of them.
    static func all(
        in stateFolder: String, limit: Int? = nil
    ) async throws(CommandFailure) -> [SweepHistory.Entry] {
        do throws(JournalError) {
            return try await SweepHistory(stateFolder: stateFolder).runs(limit: limit)
        } catch {
            // A folder that others may write to is set right by its owner.
            throw CommandFailure(
                error.code == .notPrivate ? .usage : .internalError,
                "the runs in \(stateFolder) cannot be read: \(error)")
        }
    }
}
