import Basics
import CloudCourier
import DataExport
import DeletionPlanning
import DonationStore
import Donations
import Evidence
import FileSystem
import OpenSSL

extension SweepRun {
    /// Makes sure that an export can go into a folder, before anybody is asked anything.
    func claim(_ path: String) throws(SweepFailure) -> ClaimedFolder {
        do throws(ExportError) {
            return try ClaimedFolder(path, in: Files(workingFolder: Files.currentFolder))
        } catch {
            throw .export(error)
        }
    }

    /// Reads the contents of all that the look has found, and writes them to a folder.
    ///
    /// - Throws: `refusedByGuard` when something could not be read and that was not allowed: then
    ///   there is no manifest, and the same command goes on with what is missing.
    mutating func export(
        to claim: ClaimedFolder, on databases: @escaping ReadableDatabases
    ) async throws(SweepFailure) {
        try await phase(.export) { (run) async throws(SweepFailure) in
            guard let assets = run.world.assets else { preconditionFailure("no access to assets") }
            try await run.remember([RunFiles.export.change(claim.path)])
            let folder = try run.open(claim)
            let stage = ExportStage(
                looking: run.looking(run.current, on: databases), people: run.people,
                folder: folder, assets: assets)
            let unread = try await stage.take()
            run.inventory?.remarks += unread
            try await run.askAgain(on: databases)
            try run.checkContents()
            run.hasContents = true
            let donations = try await run.exportDonations(to: folder)
            let rows = try await ReportBuilder(run: run, as: .export).rows()
            let (serverKey, version) = (run.row.serverKey, run.world.toolVersion)
            let now = run.world.wallClock.now
            let sign = run.signature(at: now)
            run.exported = try await exporting { () async throws(ExportError) in
                try await folder.finish(
                    rows.map { ExportRow($0) }, donations: donations, serverKey: serverKey,
                    toolVersion: version, at: now, signing: sign)
            }
        }
    }

    /// Signs the manifest; nil where the state folder has no key.
    private func signature(
        at moment: Timestamp
    ) -> (@Sendable (String) throws(ExportError) -> [UInt8])? {
        guard let signingKey else { return nil }
        return { digest throws(ExportError) in
            do throws(OpenSSLError) {
                return try ExportStatement.envelope(
                    ofManifest: digest, at: moment, by: signingKey
                ).bytes
            } catch {
                throw ExportError(
                    .inputOutput, "cannot sign the manifest: \(error.reason)")
            }
        }
    }

    private func open(_ claim: ClaimedFolder) throws(SweepFailure) -> ExportFolder {
        let subject = ExportSubject(
            server: world.server, environment: request.environment,
            scopes: Set(request.scopes).sorted(),
            people: subjects.map {
                ExportSubject.Person(container: $0.container, pseudonym: $0.userPseudonym)
            })
        do throws(ExportError) {
            return try ExportFolder(claim, of: subject, at: world.wallClock.now)
        } catch {
            throw .export(error)
        }
    }

    /// What could not be read stops the export, unless that was allowed.
    private func checkContents() throws(SweepFailure) {
        if courier.isStopped { throw .stopped }
        guard let row = inventory?.unread.first, request.allowPartial == nil else { return }
        throw .refusedByGuard(
            Refusal(
                .discoveryIncomplete,
                "\(row.kind.rawValue) of \(row.container) could not be read "
                    + "(\(row.reason ?? "")); the same command continues with what is missing"))
    }

    /// Writes the donations of the app; nil: no store is known.
    private func exportDonations(
        to folder: ExportFolder
    ) async throws(SweepFailure) -> (draft: AssetDraft, count: Int)? {
        guard let store = donations?.store else { return nil }
        let draft = try await exporting { () async throws(ExportError) in try await folder.begin() }
        let counts: [DonationKind: Int]
        do throws(DonationError) {
            counts = try await store.export { _ = draft.take($0) }
        } catch {
            throw .donations(error)
        }
        if let failure = draft.failure { throw .export(failure) }
        return (draft, counts.values.reduce(0, +))
    }
}

/// Runs `body`, whose failures are the export's.
func exporting<Value: Sendable>(
    _ body: () async throws(ExportError) -> Value
) async throws(SweepFailure) -> Value {
    do throws(ExportError) {
        return try await body()
    } catch {
        throw .export(error)
    }
}

extension ExportRow {
    init(_ row: CoverageRow) {
        self.init(
            container: row.container, scope: row.scope, place: row.kind.rawValue,
            subject: row.subject, outcome: row.outcome.rawValue, reason: row.reason,
            found: row.found, isOpen: row.outcome.isOpenInExport)
    }
}

extension CoverageRow.Outcome {
    /// Whether nobody can say that all of such a row is in the export.
    fileprivate var isOpenInExport: Bool {
        switch self {
        case .exported, .empty, .notInScope: false
        case .deleted, .alreadyGone, .kept, .left, .failed, .notLookedAt, .unproven, .toDelete: true
        }
    }
}
