import CommandLine
import Configuration
import JSON
import Journal
import SweepEngine

/// The names that a shell can complete: those in the state folder, in container lists and in fixtures.
///
/// Nobody is asked over the network, no credential is read, and what cannot be read offers nothing: somebody is
/// typing, and an error in the middle of their line helps nobody.
struct KnownNames {
    private let typed: TypedOptions
    private let environment: Environment

    private static let runsMax = 200
    private static let fencesMax = 1000
    private static let filesMax = 64
    private static let fixtureBytesMax = 1 << 20

    /// - Parameter words: What stands after `cksweep`; the last one is being typed.
    init(_ words: [String], in environment: Environment) {
        typed = TypedOptions(words)
        self.environment = environment
    }

    func offers(_ kind: KnownName) async -> [Completions.Offer] {
        switch kind {
        case .run: await runs()
        case .container: Self.offers(lists().flatMap { $0.containers.map(\.id.rawValue) })
        case .zone: Self.offers(listedZones() + fixtures().flatMap(\.zones) + (await fenced()))
        case .user: Self.offers(users())
        case .fixture: Self.offers(fixtureFiles())
        default: []
        }
    }

    private static func offers(_ names: [String]) -> [Completions.Offer] {
        Set(names).sorted().map { Completions.Offer(word: $0, summary: "") }
    }

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

    // MARK: Files

    private func lists() -> [ContainerList] {
        let files = environment.files
        let given = typed.texts(CommonOptions.config)
        let found = given.isEmpty ? (try? ContainerListLocator.all(files)) ?? [] : given
        return found.prefix(Self.filesMax).compactMap {
            try? ContainerListReader.read($0, files: files)
        }
    }

    private func listedZones() -> [String] {
        lists().flatMap { list in
            list.containers.flatMap(\.zones) + list.protect.compactMap(\.zone)
        }
    }

    private func fixtureFiles() -> [String] {
        let folder = "Containers/fixtures"
        let names = (try? environment.files.names(in: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") }.prefix(Self.filesMax).map {
            "\(folder)/\($0)"
        }
    }

    /// Those that were named, else all that the folder holds.
    private func fixtures() -> [(users: [String], zones: [String])] {
        let given = typed.texts(MockServerOptions.fixture)
        let paths = given.isEmpty ? fixtureFiles() : given
        return paths.prefix(Self.filesMax).map { fixture($0) }
    }

    private func fixture(_ path: String) -> (users: [String], zones: [String]) {
        guard let bytes = try? environment.files.read(path, bytesMax: Self.fixtureBytesMax),
            let root = try? JSONDocument.parse(bytes).root
        else { return ([], []) }
        let users = (root["users"]?.elements.map { $0.string ?? $0["name"]?.string } ?? [])
        let zones =
            (root["databases"]?.elements.flatMap { database in
                database["zones"]?.elements.map { $0["name"]?.string } ?? []
            } ?? [])
        return (users.compactMap { $0 }, zones.compactMap { $0 })
    }

    /// Those of the server that was started last, of the line itself, and of fixtures.
    private func users() -> [String] {
        let state = environment.stateFolder(typed.texts(CommonOptions.state).last)
        let ready = try? MockReadyFile.read(of: state, environment.files)
        let running = ready.map { Array($0.webTokens.keys) } ?? []
        return running + typed.texts(MockServerOptions.user) + fixtures().flatMap(\.users)
    }
}
