import CloudCommandLine
import CloudModel
import CommandLine
import DataExport
import SweepEngine

/// Writes everything in scope to a folder, checks such a folder, or compares two.
struct ExportCommand: Command {
    private static let into = Option(
        "output", short: "o", value: .directory,
        "output folder: new or empty, or with an interrupted export")
    private static let check = Option(
        "check", value: .directory,
        "check an export again, offline; 11: it is damaged, 4: it is incomplete")
    private static let difference = Option(
        "diff", value: .directory,
        "list what has changed since the export in DIR; exit 10 if anything has")

    static let verb = Verb(
        "export", "write everything in scope to a folder",
        discussion: [
            "Writes records, shares and subscriptions as JSON lines with the type of every "
                + "field, the bytes of assets, the local donations, and a manifest with the "
                + "coverage map and the SHA-256 of every file, written last. Scans the same "
                + "locations as \"plan\". Deletes nothing: its client cannot.",
            "If something in scope cannot be read, it writes no manifest and exits 4. The same "
                + "command continues an interrupted export: each zone is updated, and assets that "
                + "are there are not fetched again. A folder with other contents is refused (3).",
            "Exit 0 means: everything in scope is in the folder. Files are readable by their "
                + "owner only. If \"evidence init\" has created a key, the manifest is signed with "
                + "it; --check verifies the signature with the keys that --key names, else with "
                + "that one.",
        ],
        options: [into, check, difference, ExportSignature.key, CommonOptions.allowPartial]
            + CommonOptions.scope + CommonOptions.lookPace + CommonOptions.output,
        examples: [
            .init("cksweep export -c Containers/app.json -o ann", "everything about the user"),
            .init("cksweep export --check ann", "is it complete?"),
            .init("cksweep export --check ann --key operator.pub.pem", "signed by the operator?"),
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
