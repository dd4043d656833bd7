import Basics
import CloudCommandLine
import CloudModel
import CommandLine
import Configuration
import FileSystem

/// Writes a container list from what an app's own files declare, and says what it still lacks.
struct ContainersInitCommand: Command {
    private static let from = Option(
        "from", value: .file, repeats: true, "file or folder with the app's sources")
    private static let into = Option(
        "output", short: "o", value: .file, "list to write (default: Containers/APP.json)")
    private static let application = Option(
        "application", value: .text("ID"), "bundle identifier of the app")
    private static let environmentName = Option(
        "environment", value: .choice(Container.Environment.allCases.map(\.rawValue)),
        "environment of the list (default: the one in the app's entitlements, else development)")
    private static let schema = Option(
        "schema", value: .text("CONTAINER=FILE"), repeats: true,
        ".ckdb file with a container's record types")

    static let verb = Verb(
        "containers init", "write a container list from the app's own files",
        discussion: [
            "Finds every container that the app declares and writes a list for one environment. "
                + "Reports other environments in the app's entitlements, and profiles that allow "
                + "every container. Each container gets an API token of its own, from a variable "
                + "such as CKSWEEP_API_TOKEN, and uses the sign-in of \"cksweep login\". An "
                + "existing file is not overwritten.",
            "A sweep cannot exit 0 without a container's record types. A .ckdb file below the "
                + "same paths is used if its name is the last part of the container's identifier; "
                + "--schema names others, and on a terminal you are asked. What the list still "
                + "lacks is reported with its line.",
        ],
        options: [from, into, application, environmentName, schema] + CommonOptions.output,
        examples: [
            .init("cksweep containers init --from ../MyApp", "from the app's sources"),
            .init(
                "cksweep containers init --from ../MyApp --schema iCloud.com.example.app=app.ckdb",
                "with a schema from another folder"),
        ])
    private let arguments: Arguments
    private let schemas: [Container.ID: String]
    private let wanted: Container.Environment?

    init(arguments: Arguments) throws(UsageError) {
        guard arguments.has(Self.from) else { throw UsageError("\"containers init\" needs --from") }
        self.arguments = arguments
        wanted = arguments.text(Self.environmentName).flatMap { .init(rawValue: $0) }
        var schemas: [Container.ID: String] = [:]
        for text in arguments.texts(Self.schema) {
            let parts = text.split(separator: "=", maxSplits: 1).map { String($0) }
            guard parts.count == 2, let id = Container.ID(parts[0]) else {
                throw UsageError(
                    "--schema is \"\(text)\"; expected a container and a file, such as "
                        + "iCloud.com.example.app=app.ckdb")
            }
            guard schemas.updateValue(parts[1], forKey: id) == nil else {
                throw UsageError("--schema is given twice for \(id)")
            }
        }
        self.schemas = schemas
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let scan: DeclarationScan
        do throws(FileError) {
            scan = try DeclarationScan(arguments.texts(Self.from), files: environment.files)
        } catch {
            throw CommandFailure(error)
        }
        for problem in scan.problems { console.warning(problem) }
        let chosen = wanted ?? Self.environment(of: scan)
        Self.nameWhatIsLeftOut(scan, from: chosen, console)
        let ids = Set(scan.containers.map { $0.id }).sorted()
        guard !ids.isEmpty else {
            throw CommandFailure(
                .usage,
                "\(arguments.texts(Self.from).joined(separator: ", ")) declares no container")
        }
        var draft = ListDraft(
            containers: ids,
            application: arguments.text(Self.application) ?? scan.bundleIdentifiers.first,
            environment: chosen)
        let path = arguments.text(Self.into) ?? Self.defaultPath(draft.application)
        guard environment.files.facts(path) == nil else {
            throw CommandFailure(.usage, "\(path) exists already and is not overwritten")
        }
        draft.types = try await types(of: ids, scan, path, console)
        do throws(FileError) {
            if let folder = Self.folder(of: path) { try environment.files.makeFolder(folder) }
            try environment.files.write(draft.bytes, to: path, replacing: false)
        } catch {
            throw CommandFailure(error)
        }
        try tell(draft, at: path, console)
        guard !scan.problems.isEmpty else { return .done }
        throw CommandFailure(
            .usage,
            "the list may lack containers; check each warning and add the missing ones by hand")
    }

    /// The only environment that the app is signed for; development where there are two, or none is known.
    private static func environment(of scan: DeclarationScan) -> Container.Environment {
        let known = scan.environments.compactMap(Container.Environment.init(rawValue:))
        return known.count == 1 ? known[0] : .development
    }

    /// Says what the app is signed for and the list does not hold.
    private static func nameWhatIsLeftOut(
        _ scan: DeclarationScan, from chosen: Container.Environment, _ console: Console
    ) {
        for wildcard in scan.wildcards {
            console.warning(
                "\(wildcard) allows every container of the team and names none. Add the "
                    + "containers that the app uses and its entitlements do not name.")
        }
        for other in scan.environments where other != chosen.rawValue {
            console.warning(
                "the app is signed for the environment \(other), and the list is for "
                    + "\(chosen.rawValue): each environment has its own data. Write a second list "
                    + "with --environment \(other) and --output.")
        }
    }

    /// The record types of each container, by what was said, found, or answered.
    private func types(
        of ids: [Container.ID], _ scan: DeclarationScan, _ list: String, _ console: Console
    ) async throws(CommandFailure) -> [Container.ID: ListDraft.Types] {
        let files = console.environment.files
        if let other = schemas.keys.first(where: { !ids.contains($0) }) {
            throw CommandFailure(
                .usage,
                "--schema names \(other), which the app does not declare"
                    + NearestName.hint(for: other.rawValue, among: ids.map(\.rawValue)))
        }
        let found = SchemaMatch(ids, among: scan.schemas).files
        var types: [Container.ID: ListDraft.Types] = [:]
        for id in ids {
            if let file = schemas[id] ?? found[id] {
                _ = try SchemaFile.read(file, files)
                types[id] = .schema(RelativePath.path(to: file, from: list, files: files))
            }
        }
        let question = SchemaQuestion(console: console)
        for id in ids where types[id] == nil && question.canAsk {
            switch await question.ask(of: id) {
            case .file(let file):
                types[id] = .schema(RelativePath.path(to: file, from: list, files: files))
            case .none: types[id] = ListDraft.Types.none
            case .later: types[id] = .unknown
            }
        }
        let unused = scan.schemas.filter { !found.values.contains($0) }
        if !unused.isEmpty, ids.contains(where: { (types[$0] ?? .unknown) == .unknown }) {
            console.note(
                "No container could be matched to: \(unused.joined(separator: ", ")). Use "
                    + "--schema CONTAINER=FILE.")
        }
        return types
    }

    /// What was written, and what a sweep over it still lacks.
    private func tell(
        _ draft: ListDraft, at path: String, _ console: Console
    ) throws(CommandFailure) {
        let list: ContainerList
        do throws(ConfigurationError) {
            list = try ContainerListReader.read(path, files: console.environment.files)
        } catch {
            throw CommandFailure(error)
        }
        var table = TextTable(indent: 2)
        for id in draft.containers {
            let types: String? =
                switch draft.types[id] ?? .unknown {
                case .schema(let file): "schema \(file)"
                case .none: "no record types"
                case .unknown: nil
                }
            table.add([.init(id.rawValue)] + (types.map { [.init($0, .faint)] } ?? []))
        }
        let head =
            "wrote \(path) with \(Counts.some(draft.containers.count, "container")) for the environment "
            + draft.environment.rawValue
        console.event(
            Event(
                "list_written",
                [
                    .init("file", path),
                    .init("environment", .text(draft.environment.rawValue)),
                    .init("containers", .list(draft.containers.map { .text($0.rawValue) })),
                ]))
        let obstacles = Obstacles(list, stateFolder: nil, in: console.environment)
        for obstacle in obstacles.all { console.event(obstacle.event) }
        let lines =
            console.style.paragraph(head) + table.lines(console.style)
            + ObstacleText(obstacles.all).lines(console.style)
        console.result(lines.joined(separator: "\n"))
    }

    private static func defaultPath(_ application: String?) -> String {
        "Containers/\(application?.filter { $0 != "/" } ?? "containers").json"
    }

    private static func folder(of path: String) -> String? {
        path.lastIndex(of: "/").map { String(path[..<$0]) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
