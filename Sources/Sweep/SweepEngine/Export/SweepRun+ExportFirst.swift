import CloudCourier
import DataExport
import DeletionPlanning
import FileSystem

extension SweepRun {
    // MARK: Access first

    /// Writes the export that has to come first, or takes up the one that a plan was made with, and
    /// reads all of it again.
    ///
    /// - Throws: `refusedByGuard` when it is not whole: then nothing is deleted.
    mutating func exportFirst(
        _ first: ExportFirst, on databases: @escaping ReadableDatabases
    ) async throws(SweepFailure) {
        switch first {
        case .none: return
        case .written(let claim):
            try await export(to: claim, on: databases)
            exportFolder = claim.path
        case .there(let folder): exportFolder = folder
        }
        export = try readExport()
        try await remember([
            .event(
                events.event("export", [("manifest", .optional(export?.manifestDigest))]))
        ])
    }

    /// Claims the folder for what is to be written first, before anybody is asked anything.
    func writing(first folder: String?) throws(SweepFailure) -> ExportFirst {
        guard let folder else { return .none }
        return .written(try claim(folder))
    }

    /// Reads the export again that has to be there: every file, held against its manifest.
    ///
    /// - Returns: nil: none has to be there.
    func readExport() throws(SweepFailure) -> VerifiedExport? {
        guard let exportFolder else { return nil }
        let export: VerifiedExport
        do throws(ExportError) {
            export = try ExportCheck(
                exportFolder, in: Files(workingFolder: Files.currentFolder)
            ).run()
        } catch {
            throw .refusedByGuard(Refusal(.exportDamaged, error.reason))
        }
        guard export.isComplete || request.allowPartial != nil else {
            throw .refusedByGuard(
                Refusal(.exportDamaged, "the export is incomplete"))
        }
        return export
    }
}

/// What has to be in a folder before anything is deleted.
enum ExportFirst: Sendable {
    case none
    /// All that is in scope, written by this run.
    case written(ClaimedFolder)
    /// What an earlier run has written, and its plan names.
    case there(String)
}
