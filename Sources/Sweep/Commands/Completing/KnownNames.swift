import CloudCommandLine
import CommandLine
import Journal
import SweepEngine

/// The names that a shell can complete: those in the state folder and in container lists.
///
/// Sends no request and reads no credential. A file that cannot be read adds no names: an error must not appear in a
/// line that is being typed.
struct KnownNames {
    private let typed: TypedOptions
    private let environment: Environment

    private static let runsMax = 200
    private static let fencesMax = 1000

    /// - Parameter words: What stands after `cksweep`; the last one is being typed.
    init(_ words: [String], in environment: Environment) {
        typed = TypedOptions(words)
        self.environment = environment
    }

    func offers(_ kind: KnownName) async -> [Completions.Offer] {
        switch kind {
        case .run: await runs()
        case .container: Completions.Offer.names(listed.containers)
        case .zone: Completions.Offer.names(listed.zones + (await fenced()))
        default: []
        }
    }

    private var listed: ListedNames { ListedNames(typed, in: environment) }

    // MARK: The state folder

    private var stateFolders: [String] {
        let given = typed.texts(CommonOptions.state).last
        return [false, true].map { environment.stateFolder(given, isRehearsal: $0) }
    }

    private func runs() async -> [Completions.Offer] {
        var entries: [SweepHistory.Entry] = []
        for folder in stateFolders {
            entries +=
                (try? await SweepHistory(stateFolder: folder).runs(limit: Self.runsMax)) ?? []
        }
        entries.sort { $0.began > $1.began }
        guard !entries.isEmpty else { return [] }
        let last = Completions.Offer(word: "last", summary: "the newest")
        return [last]
            + entries.prefix(Self.runsMax).map { entry in
                let status = entry.status.map { "exit \($0.rawValue)" } ?? "not finished"
                return Completions.Offer(
                    word: entry.runID,
                    summary: "\(entry.verb), \(entry.began.iso8601), \(status)")
            }
    }

    private func fenced() async -> [String] {
        var names: [String] = []
        for folder in stateFolders where SQLiteJournal.isThere(in: folder) {
            let journal = SQLiteJournal(folder: folder, readOnly: true)
            let fences = (try? await journal.fences(limit: Self.fencesMax)) ?? []
            names += fences.compactMap { $0.zone?.zoneName }
            await journal.close()
        }
        return names
    }
}
