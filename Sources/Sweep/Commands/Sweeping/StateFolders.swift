import CommandLine
import SweepEngine

/// Where runs are kept: those at Apple's server, and rehearsals apart from them.
struct StateFolders: Sendable {
    let runs: String
    let rehearsals: String
    private let environment: Environment

    init(_ arguments: Arguments, in environment: Environment) {
        let given = arguments.text(CommonOptions.state)
        runs = environment.stateFolder(given)
        rehearsals = environment.stateFolder(given, isRehearsal: true)
        self.environment = environment
    }

    /// Those of the two that are there.
    var existing: [String] {
        [runs, rehearsals].filter { environment.files.facts($0) != nil }
    }

    /// Refuses a run that is nowhere, before anything else is asked for.
    ///
    /// - Parameter text: nil where every run is meant.
    func check(_ text: String?) async throws(CommandFailure) {
        if let text { _ = try await find(text) }
    }

    /// Refuses a digest that is of no plan, before anything else is asked for.
    func check(plan digest: String) async throws(CommandFailure) {
        for folder in existing {
            if try await RunFinder.all(in: folder).contains(where: { $0.planDigest == digest }) {
                return
            }
        }
        throw CommandFailure(
            .refused, "no plan in \(runs) has the approved digest",
            remedy: "run \"cksweep plan\" with the same --state, and approve its digest")
    }

    /// The run that is meant, and its folder.
    func find(_ text: String) async throws(CommandFailure) -> (folder: String, run: String) {
        let folders = existing
        guard !folders.isEmpty else { throw CommandFailure(.usage, "there are no runs in \(runs)") }
        var all: [(folder: String, entry: SweepHistory.Entry)] = []
        for folder in folders {
            all += try await RunFinder.all(in: folder).map { (folder, $0) }
        }
        all.sort { $0.entry.began > $1.entry.began }
        let run = try RunFinder.choose(text, among: all.map(\.entry), in: runs)
        return (all.first { $0.entry.runID == run }?.folder ?? runs, run)
    }
}
