import CloudModel
import FileSystem
import JSON
import Journal
import OpenSSL

/// What can be shown to others: the report and the chain of events, without names of people, zones or
/// records.
///
/// Canonical JSON: keys in order, no spaces; events stand as they were hashed. It says *complete* only
/// with a proof, which the report's ending takes.
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
            try Files(workingFolder: Files.currentFolder).makeFolder(folder)
            var file = try WholeFile(path)
            let (opening, closing) = frame(chain.count, head)
            try file.write(opening)
            try await writeEvents(&file)
            try file.write(closing)
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
                writer.key("hash")
                writer.string(Hexadecimal.encode(event.hash))
                writer.endObject()
                try file.write((event.number > 0 ? [0x2C] : []) + writer.bytes)
            }
            guard let last = page.last else { return }
            next = last.number + 1
        }
    }

    /// What stands before and after the events.
    private func frame(_ count: Int, _ head: String) -> (opening: [UInt8], closing: [UInt8]) {
        let description = ReportDescription(report: report, audience: .others(run.pseudonyms))
        let fields =
            description.fields + [
                (
                    "chain",
                    .object([
                        ("algorithm", .text("SHA-256")), ("events", .number(Int64(count))),
                        ("head", .text(head)),
                    ])
                ), ("format", .text("cksweep-evidence")), ("tool", .text(run.world.toolVersion)),
                ("version", .number(2)),
            ]
        let before = EventValue.object(fields.filter { $0.0 < "events" }).bytes()
        let after = EventValue.object(fields.filter { $0.0 > "events" }).bytes()
        return (
            before.dropLast() + Array(",\"events\":[".utf8),
            [0x5D, 0x2C] + after.dropFirst() + [0x0A]
        )
    }
}
