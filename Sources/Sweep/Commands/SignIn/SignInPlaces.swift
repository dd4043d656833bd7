import Basics
import CloudClient
import CloudCommandLine
import CloudModel
import CommandLine
import Configuration

/// The containers of a list that are signed in to, and where each sign-in is kept.
struct SignInPlaces {
    /// One container.
    struct Place: Sendable {
        let entry: ContainerList.Entry
        let file: WebAuthTokenFile
        let path: String
    }

    let list: ContainerList
    let server: ServerChoice
    let reader: SecretReader
    /// Those that are meant, in the list's order.
    let places: [Place]

    /// - Throws: When there is nothing to sign in to, or a container is named that has another
    ///   credential or is none of the list's.
    init(
        _ arguments: Arguments, in environment: Environment, _ console: Console
    ) throws(CommandFailure) {
        list = try ContainerList.read(arguments, in: environment)
        server = try list.server(arguments, in: environment)
        console.begin(at: server.facts)
        let stateFolder = environment.stateFolder(
            arguments.text(CommonOptions.state), isRehearsal: server.facts.isRehearsal)
        reader = SecretReader(
            list, in: environment.source, signIns: SignInFolder(stateFolder: stateFolder))
        let named = try Self.named(arguments.positionals, in: list)
        var places: [Place] = []
        for entry in list.containers where named.isEmpty || named.contains(entry.id) {
            guard let path = reader.signIn(for: entry, at: server) else {
                guard named.isEmpty else { throw Self.otherCredential(entry, list) }
                continue
            }
            let file = WebAuthTokenFile(path, in: environment.files, clock: environment.clock)
            places.append(Place(entry: entry, file: file, path: path))
        }
        guard !places.isEmpty else {
            throw CommandFailure(
                .usage, "\(list.file) has no container that uses a sign-in",
                remedy: "set \"webAuthToken\": \"login\" under \"credentials\" there")
        }
        self.places = places
    }

    private static func named(
        _ words: [String], in list: ContainerList
    ) throws(CommandFailure) -> Set<Container.ID> {
        let known = list.containers.map(\.id.rawValue)
        for word in words where !known.contains(word) {
            throw CommandFailure(
                .usage,
                "\(list.file) has no container \"\(word)\""
                    + NearestName.hint(for: word, among: known))
        }
        return Set(list.containers.map(\.id).filter { words.contains($0.rawValue) })
    }

    private static func otherCredential(
        _ entry: ContainerList.Entry, _ list: ContainerList
    ) -> CommandFailure {
        let summary = list.credentials(for: entry)?.summary ?? ""
        return CommandFailure(
            .usage,
            "\(entry.id.rawValue) does not use a sign-in: its credentials are "
                + (summary.isEmpty ? "missing" : summary),
            remedy: "set \"webAuthToken\": \"login\" for it in \(list.file)")
    }
}
