import CloudModel
import CommandTable
import DataExport
import SweepEngine

/// Writes everything in scope to a folder, checks such a folder, or compares two.
struct ExportCommand: Command {
    private static let into = Option(
        "output", short: "o", value: .directory,
        "where to: a new or empty folder, or one whose export was cut off")
    private static let check = Option(
        "check", value: .directory,
        "read an export again, offline; 11: it is damaged, 4: it lacks something")
    private static let difference = Option(
        "diff", value: .directory, "say what has changed since the export in DIR; 10 when any has")

    static let verb = Verb(
        "export", "write everything in scope to a folder",
        discussion: [
            "Records, shares and subscriptions as JSON lines with the type of every field, the bytes of "
                + "assets, the local donations, and a manifest with the coverage map and the SHA-256 "
                + "of every file, written last. The same places are looked at as for \"plan\". "
                + "Deletes nothing, and has no way to.",
            "Where something in scope cannot be read, there is no manifest, and it ends with 4. An "
                + "export that was cut off goes on with the same command: each zone is brought to what "
                + "it is now, and assets that are there are not fetched again. A folder that holds "
                + "anything else is left alone (3).",
            "Exit 0 says that everything in scope is in the folder. Files are for their owner only. "
                + "Where \"evidence init\" has made a key, the manifest is signed with it; --check "
                + "holds the signature against the keys that --key names, else against that one.",
        ],
        options: [into, check, difference, ExportSignature.key, CommonOptions.allowPartial]
            + CommonOptions.scope + CommonOptions.lookPace + CommonOptions.output,
        examples: [
            .init("cksweep export -c Containers/app.json -o ann", "everything about the person"),
            .init("cksweep export --check ann", "is it whole?"),
            .init("cksweep export --check ann --key operator.pub.pem", "and the operator's?"),
            .init("cksweep export --check later --diff ann", "what has changed in between"),
        ])
    /// What is wanted.
    private enum Work {
        case write(into: String)
        case check(String)
    }

    private let arguments: Arguments
    private let work: Work

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        switch (arguments.text(Self.into), arguments.text(Self.check)) {
        case (let folder?, nil): work = .write(into: folder)
        case (nil, let folder?): work = .check(folder)
        case (nil, nil), (_?, _?):
            throw UsageError("\"export\" needs either --output or --check")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        switch work {
        case .write(let folder): try await write(into: folder, environment)
        case .check(let folder): try check(folder, environment)
        }
    }

    private func check(
        _ folder: String, _ environment: Environment
    ) throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let export = try ExportFolders.check(folder, console)
        let signature = try ExportSignature(of: export, arguments, in: environment)
        let changed = try compare(with: folder, console)
        ExportFolders.tell(export, signature, at: folder, console)
        guard export.isComplete else { return .status(.discoveryIncomplete) }
        return changed ? .status(.somethingToDelete) : .done
    }

    private func write(
        into folder: String, _ environment: Environment
    ) async throws(CommandFailure) -> VerbResult {
        let session = try SweepSession(arguments, in: environment)
        let path = environment.files.absolute(folder)
        let report = await session.run { sweep, session in
            await sweep.export(to: path) {
                ReadOnlyDatabase(session.connection.database(at: $0))
            }
        }
        let result = session.finish(report)
        guard let exported = report.exported else { return result }
        ExportFolders.tell(exported, at: folder, session.console)
        guard try compare(with: folder, session.console), result == .done else { return result }
        return .status(.somethingToDelete)
    }

    /// Tells what has changed since the older export, where one is named.
    ///
    /// - Returns: whether anything has.
    private func compare(
        with new: String, _ console: Console
    ) throws(CommandFailure) -> Bool {
        guard let old = arguments.text(Self.difference) else { return false }
        return try ExportFolders.compare(old, with: new, console)
    }
}
