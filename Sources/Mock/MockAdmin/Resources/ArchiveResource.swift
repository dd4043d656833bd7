import CloudWire
import FileSystem
import HTTPServer
import JSON
import MockService
import MockStore

/// The store as one archive.
struct ArchiveResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "summary", query: ["user"], answers: ["databases"],
            "counts what is stored, database by database", summary),
        AdminEndpoint(
            "GET", "dump", query: ["user"],
            answers: .lines([
                .text("database"), "zone", "record", .named("subscription", "Subscription"),
                .text("user"),
            ]),
            "returns everything that a user has, or the contents of the public databases, as "
                + "JSON lines", dump),
        AdminEndpoint(
            "GET", "export", answers: .lines(ArchiveFormat.lines),
            "writes everything in the store as one archive, identical for identical data", export),
        AdminEndpoint(
            "POST", "import", takes: .text("an archive, as export writes it"),
            upTo: ArchiveFormat.bytesMax,
            answers: [
                .count("users"), .count("databases"), .count("zones"), .count("records"),
                .count("assets"), "generation",
            ], "replaces everything in the store by an archive, or changes nothing", restore),
    ]

    private func summary() -> RequestOutcome {
        let job = SummaryJob(user: query["user"])
        return .job(job) {
            HTTPResponse.object { writer in
                writer.objects("databases", job.summaries) { writer, database in
                    writer.member("container", database.address.container.rawValue)
                    writer.member("environment", database.address.environment.rawValue)
                    writer.member("database", database.address.scope.rawValue)
                    writer.member("user", database.user)
                    writer.member("zones", database.zones)
                    writer.member("records", database.records)
                    writer.member("assets", database.assets)
                    writer.member("assetBytes", Int(database.assetBytes))
                    writer.member("subscriptions", database.subscriptions)
                    writer.member("restricted", database.isRestricted)
                }
            }
        }
    }

    /// All data as JSON lines, which are equal when the data are.
    private func dump() throws(MockError) -> RequestOutcome {
        let user = query["user"]
        if let user { try admin.requireAccount(user) }
        return .respond(
            HTTPResponse(
                status: 200,
                headers: ["content-type": "application/x-ndjson", "cache-control": "no-store"],
                source: DumpSource(store, DumpReader(user: user))), after: .zero)
    }

    /// All that the store holds, as one archive.
    private func export() throws(MockError) -> RequestOutcome {
        let job: ExportJob
        do throws(MockStoreError) { job = try ExportJob(store) } catch { throw MockError(error) }
        return .job(job) {
            guard let image = job.image else {
                return HTTPResponse(MockError(status: 500, "nothing was copied"))
            }
            return HTTPResponse(
                status: 200,
                headers: ["content-type": "application/x-ndjson", "cache-control": "no-store"],
                source: ExportSource(
                    ArchiveWriter(
                        image, settings: ArchivedSettings(admin.options, clock.setting).line)))
        }
    }

    /// An archive that was received as a whole; see ``ImportSink`` for one that arrives piece by piece.
    private func restore() -> RequestOutcome { admin.restore(ArchiveLines(of: call.bytes)) }

    /// The answer to `GET dump`, piece by piece.
    private final class DumpSource: HTTPBodySource {
        private let store: MockStore
        private let reader: DumpReader
        let length: Int? = nil

        init(_ store: MockStore, _ reader: DumpReader) {
            self.store = store
            self.reader = reader
        }

        func next() throws -> HTTPBodyPiece {
            while let lines = try reader.next(store) {
                if !lines.isEmpty { return .bytes(lines) }
            }
            return .end
        }
    }

    /// The answer to `GET export`, piece by piece.
    private final class ExportSource: HTTPBodySource {
        private let writer: ArchiveWriter
        let length: Int? = nil

        init(_ writer: ArchiveWriter) { self.writer = writer }

        func next() throws -> HTTPBodyPiece { try writer.next().map { .bytes($0) } ?? .end }
    }
}
