import CloudCommandLine
import CommandLine
import JSON

/// The names that a shell can complete: those of a running server, in fixtures and in container lists.
///
/// Sends no request. A file that cannot be read adds no names: an error must not appear in a line that is being typed.
struct CompletionNames {
    private let typed: TypedOptions
    private let environment: Environment

    private static let fixtureBytesMax = 1 << 20

    /// - Parameter words: What stands after `cloudkit-mock`; the last one is being typed.
    init(_ words: [String], in environment: Environment) {
        typed = TypedOptions(words)
        self.environment = environment
    }

    func offers(_ kind: KnownName) -> [Completions.Offer] {
        let listed = ListedNames(typed, in: environment)
        let names: [String] =
            switch kind {
            case .container: listed.containers
            case .zone: listed.zones + fixtures().flatMap(\.zones)
            case .user: users()
            case .fixture: fixtureFiles()
            default: []
            }
        return Completions.Offer.names(names)
    }

    private func fixtureFiles() -> [String] {
        let folder = "Containers/fixtures"
        let names = (try? environment.files.names(in: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") }.prefix(ListedNames.filesMax).map {
            "\(folder)/\($0)"
        }
    }

    /// Those that were named, else all that the folder holds.
    private func fixtures() -> [(users: [String], zones: [String])] {
        let given = typed.texts(ServeOptions.fixture)
        let paths = given.isEmpty ? fixtureFiles() : given
        return paths.prefix(ListedNames.filesMax).map { fixture($0) }
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
        let state = environment.stateFolder(typed.texts(AdminClient.state).last)
        let ready = try? ReadyFile.read(of: state, environment.files)
        let running = ready.map { Array($0.webTokens.keys) } ?? []
        return running + typed.texts(ServeOptions.user) + fixtures().flatMap(\.users)
    }
}
