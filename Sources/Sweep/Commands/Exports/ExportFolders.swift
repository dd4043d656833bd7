import CloudModel
import CommandLine
import DataExport

/// What verbs do with exports that are there.
enum ExportFolders {
    /// Reads an export again.
    ///
    /// - Throws: with 11 when it is damaged, with 3 when there is none.
    static func check(
        _ folder: String, _ console: Console
    ) throws(CommandFailure) -> VerifiedExport {
        do throws(ExportError) {
            let export = try ExportCheck(folder, in: console.environment.files).run()
            console.begin(at: export.subject.server)
            return export
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Tells of an export that was checked.
    static func tell(
        _ export: VerifiedExport, _ signature: ExportSignature, at folder: String,
        _ console: Console
    ) {
        console.result(
            [
                (export.isComplete ? "WHOLE" : "PARTIAL") + ": \(text(export.totals))",
                "  every file in \(folder) matches the manifest",
                "  manifest sha256 \(export.manifestDigest)", "  \(signature.words)",
            ])
        console.event(
            event(
                "checked", folder, export.manifestDigest, export.isComplete, export.totals,
                signature.fields))
    }

    /// Tells of an export that was written.
    static func tell(_ export: ExportReceipt, at folder: String, _ console: Console) {
        console.result(
            [
                "", "The export is in \(folder): \(text(export.totals))",
                "  manifest sha256 \(export.manifestDigest)",
            ])
        console.event(
            event("exported", folder, export.manifestDigest, export.isComplete, export.totals))
    }

    /// Tells what two exports do not have in common.
    ///
    /// - Returns: whether there is anything.
    static func compare(
        _ old: String, with new: String, _ console: Console
    ) throws(CommandFailure) -> Bool {
        do throws(ExportError) {
            let comparison = ExportComparison(
                of: old, with: new, in: console.environment.files)
            let tally = try comparison.run { difference in
                console.result(DifferenceText.line(difference))
                console.event(DifferenceText.event(difference))
            }
            console.result([
                tally.isEmpty
                    ? "nothing has changed since \(old)"
                    : "since \(old): \(tally.added) added, \(tally.removed) removed, "
                        + "\(tally.changed) changed"
            ])
            console.event(
                Event(
                    "compared",
                    [
                        .init("added", tally.added), .init("removed", tally.removed),
                        .init("changed", tally.changed),
                    ]))
            return !tally.isEmpty
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func text(_ totals: ExportTotals) -> String {
        [
            Counts.some(totals.records, "record"), Counts.some(totals.shares, "share"),
            Counts.some(totals.subscriptions, "subscription"),
            Counts.some(totals.assets, "asset"), Counts.some(totals.donations, "local donation"),
        ].joined(separator: ", ")
    }

    private static func event(
        _ name: String, _ folder: String, _ digest: String, _ isComplete: Bool,
        _ totals: ExportTotals, _ more: [Event.Field] = []
    ) -> Event {
        Event(
            name,
            [
                .init("folder", folder), .init("manifest", digest),
                .init("complete", isComplete), .init("files", totals.files),
                .init("records", totals.records), .init("shares", totals.shares),
                .init("subscriptions", totals.subscriptions), .init("assets", totals.assets),
                .init("assetBytes", Int(totals.assetBytes)), .init("donations", totals.donations),
            ] + more)
    }
}

extension CommandFailure {
    /// What an export that cannot be used means for a verb.
    init(_ error: ExportError) {
        switch error.code {
        case .damaged, .otherAsset: self.init(.evidenceInvalid, error.reason)
        case .notAnExport, .otherExport, .notPrivate: self.init(.refused, error.reason)
        case .locked: self.init(.locked, error.reason)
        case .diskFull, .tooLarge, .inputOutput: self.init(.internalError, error.reason)
        }
    }
}
