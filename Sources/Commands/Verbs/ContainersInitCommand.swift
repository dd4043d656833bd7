import CloudModel
import CommandTable
import Configuration
import FileSystem
import JSON

/// Writes a container list from what an app's own files declare.
struct ContainersInitCommand: Command {
    private static let from = Option(
        "from", value: .file, repeats: true, "a file or folder of the app's sources")
    private static let into = Option(
        "output", short: "o", value: .file, "the list to write (default: Containers/APP.json)")
    private static let application = Option(
        "application", value: .text("ID"), "the app's bundle identifier")

    static let verb = Verb(
        "containers init", "write a list from the app's own files",
        discussion: [
            "Finds every container the app declares and writes a list with credentials from the "
                + "variables CKSWEEP_API_TOKEN and CKSWEEP_WEB_TOKEN and the environment "
                + "\"development\". An existing file is not overwritten."
        ],
        options: [from, into, application] + CommonOptions.output,
        examples: [.init("cksweep containers init --from ../MyApp", "from the app's sources")])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        guard arguments.has(Self.from) else { throw UsageError("\"containers init\" needs --from") }
        self.arguments = arguments
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        do throws(FileError) {
            let scan = try DeclarationScan(arguments.texts(Self.from), files: environment.files)
            for problem in scan.problems { console.warning(problem) }
            let ids = Set(scan.containers.map { $0.id }).sorted()
            guard !ids.isEmpty else {
                throw FileError(
                    arguments.texts(Self.from).joined(separator: ", "), "declares no container")
            }
            let application = arguments.text(Self.application) ?? scan.bundleIdentifiers.first
            let path = arguments.text(Self.into) ?? Self.defaultPath(application)
            if let folder = Self.folder(of: path) { try environment.files.makeFolder(folder) }
            try environment.files.write(
                Self.list(ids, application), to: path, replacing: false)
            console.result("wrote \(path) with \(Counts.some(ids.count, "container"))")
            for id in ids { console.result("  \(id)") }
            console.event(
                Event(
                    "list_written",
                    [
                        .init("file", path),
                        .init("containers", .list(ids.map { .text($0.rawValue) })),
                    ]))
            console.note(
                "For a sweep to end in 0, name the record types of each by \"schema\" or "
                    + "\"recordTypes\"; an empty list says that there are none.")
            guard !scan.problems.isEmpty else { return .done }
            environment.errors.write(
                "error: the list may lack containers; add what the warnings are about by hand\n")
            return .status(.usage)
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func defaultPath(_ application: String?) -> String {
        "Containers/\(application?.filter { $0 != "/" } ?? "containers").json"
    }

    private static func folder(of path: String) -> String? {
        path.lastIndex(of: "/").map { String(path[..<$0]) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func list(_ ids: [Container.ID], _ application: String?) -> [UInt8] {
        let primary = ids.first { $0.rawValue == "iCloud.\(application ?? "")" }
        var fields: [Event.Field] = [.init("version", 1)]
        if let application { fields.append(.init("application", application)) }
        fields += [
            .init("environment", "development"),
            .init(
                "containers",
                .list(
                    ids.map { id in
                        var fields = [Event.Field("identifier", id.rawValue)]
                        if id == primary { fields.append(.init("default", true)) }
                        return .object(fields)
                    })),
            .init("databases", .list(Database.Scope.allCases.map { .text($0.rawValue) })),
            .init(
                "credentials",
                .object([
                    .init("apiToken", "env:CKSWEEP_API_TOKEN"),
                    .init("webAuthToken", "env:CKSWEEP_WEB_TOKEN"),
                ])),
        ]
        return Array(Event("list", fields).prettyText.utf8)
    }
}
