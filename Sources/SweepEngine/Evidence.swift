import CloudModel
import JSON
import Journal
import OpenSSL

/// What can be shown to others: the outcome, the coverage map and the chain of events, without
/// names of people, zones or records.
///
/// Canonical JSON: keys in order, no spaces; events stand as they were hashed.
struct Evidence: Sendable {
    let run: SweepRun
    let report: SweepReport

    /// Writes the file, a page of events at a time.
    ///
    /// - Returns: its path, and the hash of the last event.
    func write() async throws(SweepFailure) -> (path: String, head: String) {
        let chain: (count: Int, head: [UInt8])
        do throws(JournalError) {
            chain = try await run.journal.verifyChain(run: run.row.key)
        } catch {
            throw .journal(error)
        }
        let head = Hexadecimal.encode(chain.head)
        let folder = "\(run.world.stateFolder)/evidence"
        let path = "\(folder)/\(run.row.id).json"
        do {
            try PlanFile.makeFolder(folder)
            var file = try WholeFile(path, nonce: Hexadecimal.encode(SecureRandom.bytes(4)))
            try file.write(opening(chain.count, head))
            try await writeEvents(&file)
            try file.write(closing())
            try file.finish()
        } catch let error as JournalError {
            throw .journal(error)
        } catch {
            throw .journal(
                JournalError(.inputOutput, "the evidence \(path) cannot be written: \(error)"))
        }
        return (path, head)
    }

    private func writeEvents(_ file: inout WholeFile) async throws {
        var next = 0
        while true {
            let page = try await run.journal.events(run: run.row.key, from: next, limit: 100)
            for event in page {
                var writer = JSONWriter()
                writer.beginObject()
                writer.key("body")
                writer.raw(event.body)
                writer.text("hash", Hexadecimal.encode(event.hash))
                writer.endObject()
                try file.write((event.number > 0 ? [0x2C] : []) + writer.bytes)
            }
            guard let last = page.last else { return }
            next = last.number + 1
        }
    }

    // MARK: Around the events

    /// Keys before "events", in order.
    private func opening(_ count: Int, _ head: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.text("application", report.application ?? "")
        writer.key("chain")
        writer.beginObject()
        writer.text("algorithm", "SHA-256")
        writer.number("events", Int64(count))
        writer.text("head", head)
        writer.endObject()
        writer.key("complete")
        writer.bool(report.status == .done)
        writer.list("containers", report.subjects) {
            $1.members(of: $0.container, $0.userPseudonym)
        }
        writer.list("coverage", report.rows) { row, writer in
            // A server's words could name something.
            writer.members(
                of: row, reason: row.code?.rawValue ?? row.reason ?? "", subject: subject(of: row))
        }
        writer.text("environment", run.request.environment.rawValue)
        writer.key("events")
        writer.beginArray()
        return writer.bytes
    }

    /// The end of the array of events, and the keys after it, in order.
    private func closing() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("failures")
        writer.beginObject()
        writer.number("count", Int64(report.failureCount))
        writer.endObject()
        writer.text("format", "cksweep-evidence")
        writer.key("partial")
        if let reason = report.allowPartial { writer.string(reason) } else { writer.null() }
        writer.list("passes", report.passes) { $1.members(of: $0) }
        writer.text("planDigest", report.plan?.digest ?? "")
        writer.text("run", run.row.id)
        writer.number("status", Int64(report.status.rawValue))
        writer.text("tool", run.world.toolVersion)
        writer.number("version", 1)
        writer.endObject()
        // After the events' closing bracket the object goes on.
        return [0x5D, 0x2C] + writer.bytes.dropFirst() + [0x0A]
    }

    /// What a row is about, without its name.
    private func subject(of row: CoverageRow) -> String? {
        guard let subject = row.subject else { return nil }
        let isZone = row.kind == .customZones || row.kind == .sharedZones
        guard isZone else { return subject }
        return run.pseudonyms.zone(subject, in: row.container, run.request.environment)
    }
}
