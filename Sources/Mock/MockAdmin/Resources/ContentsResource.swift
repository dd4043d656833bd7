import CloudWire
import FileSystem
import HTTPServer
import JSON
import MockService
import MockStore

/// The contents of the store: counted, as text, and as a snapshot file.
struct ContentsResource: AdminResource {
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
            "GET", "export", answers: .bytes([mediaType]),
            "writes everything in the store to a snapshot file", export),
        AdminEndpoint(
            "POST", "import", takes: .file(mediaType, "a snapshot file, as export writes it"),
            upTo: SnapshotFile.bytesMax,
            answers: [
                .count("users"), .count("databases"), .count("zones"), .count("records"),
                .count("assets"), "generation",
            ], "replaces everything in the store by a snapshot file, or changes nothing", restore),
    ]
    private static let mediaType = "application/octet-stream"

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

    private func export() throws(MockError) -> RequestOutcome {
        let settings = SnapshotSettings(admin.options, clock.setting)
        let job = try storing { () throws(MockStoreError) in
            try ExportJob(store, settings: settings.text)
        }
        return .job(job) {
            do throws(FileError) {
                guard let file = job.file else { throw FileError("the file", "is missing") }
                return HTTPResponse(
                    status: 200,
                    headers: ["content-type": Self.mediaType, "cache-control": "no-store"],
                    source: try FileSource(file))
            } catch {
                return HTTPResponse(MockError(status: 500, error.description))
            }
        }
    }

    /// Restores a file that was received as a whole; see ``ImportSink`` for one that arrives piece by piece.
    private func restore() throws(MockError) -> RequestOutcome {
        let file: SnapshotFile
        do throws(FileError) {
            file = try SnapshotFile()
            try file.create().write(call.bytes)
        } catch {
            throw ImportSink.refusal(error)
        }
        return try admin.restore(file)
    }

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
    private final class FileSource: HTTPBodySource {
        private static let pieceBytes = 64 << 10

        private let snapshot: SnapshotFile
        private let file: ByteFile
        private var sent = 0
        let length: Int?

        init(_ snapshot: SnapshotFile) throws(FileError) {
            self.snapshot = snapshot
            file = try ByteFile(reading: snapshot.path)
            length = Int(try file.stamp().size)
        }

        func next() throws -> HTTPBodyPiece {
            guard let piece = try file.read(upTo: Self.pieceBytes, at: sent) else { return .end }
            sent += piece.count
            return .bytes(piece)
        }
    }
}
