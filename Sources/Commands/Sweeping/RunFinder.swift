import CloudModel
import SweepEngine

/// Finds runs by what people type: the whole ID, its beginning, or `last`.
enum RunFinder {
    private static let runsMax = 10_000

    /// The ID meant by `text`; nil when nothing was typed.
    static func find(
        _ text: String?, in stateFolder: String
    ) async throws(CommandFailure) -> String? {
        guard let text else { return nil }
        let runs = try await all(in: stateFolder).map { $0.runID }
        if text == "last", let newest = runs.first { return newest }
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

    /// Every run, newest first.
    static func all(
        in stateFolder: String, limit: Int = runsMax
    ) async throws(CommandFailure) -> [SweepHistory.Entry] {
        do {
            return try await SweepHistory(stateFolder: stateFolder).runs(limit: limit)
        } catch {
            throw CommandFailure(
                .internalError, "the runs in \(stateFolder) cannot be read: \(error)")
        }
    }
}
