import FileSystem
package import HTTPServer
import MockService
import MockStore

/// Receives a snapshot file piece by piece, while other requests are served, and restores it when
/// it is complete.
///
/// Unchecked: all of it is used on the loop's thread alone; the disk's thread only hands it back.
final class ImportSink: HTTPBodySink, @unchecked Sendable {
    /// Bytes that are written at once; as many more make the client wait.
    private static let writeBytes = 64 << 10

    private let admin: Administration
    private let exchange: ExchangeID
    private let loop: HTTPLoop
    private let disk: AssetDisk
    private let snapshot: SnapshotFile
    private let file: ByteFile
    private var pending: [UInt8] = []
    private var inFlight = 0
    private var isWaiting = false
    /// Whether it was responded to, or its client disconnected.
    private var isOver = false

    init(
        _ admin: Administration, _ exchange: ExchangeID, _ disk: AssetDisk,
        _ loop: HTTPLoop
    ) throws(FileError) {
        self.admin = admin
        self.exchange = exchange
        self.disk = disk
        self.loop = loop
        snapshot = try SnapshotFile()
        file = try snapshot.create()
    }

    var heldBytes: Int { pending.count + inFlight }

    func take(_ piece: Span<UInt8>) -> HTTPBodyDemand {
        guard !isOver else { return .more }
        pending.append(piece)
        writeIfEnough()
        isWaiting = pending.count >= Self.writeBytes
        return isWaiting ? .notNow : .more
    }

    private func writeIfEnough() {
        guard inFlight == 0, pending.count >= Self.writeBytes else { return }
        write { [self] error in
            if let error { return fail(error) }
            writeIfEnough()
            guard isWaiting, pending.count < Self.writeBytes else { return }
            isWaiting = false
            loop.resumeBody(of: exchange)
        }
    }

    /// Writes what has arrived, and continues when it is written.
    private func write(_ done: @escaping @Sendable (FileError?) -> Void) {
        let (bytes, post) = (pending, loop.post)
        pending = []
        inFlight += bytes.count
        disk.run { [self] in
            let error = write(bytes)
            post { _ in
                self.inFlight -= bytes.count
                if !self.isOver { done(error) }
            }
        }
    }

    private func write(_ bytes: [UInt8]) -> FileError? {
        do throws(FileError) {
            try file.write(bytes)
            return nil
        } catch {
            return error
        }
    }

    private func fail(_ error: FileError) {
        isOver = true
        loop.respond(to: exchange, HTTPResponse(Self.refusal(error)))
    }

    static func refusal(_ error: FileError) -> MockError {
        MockError(status: 500, "cannot store the snapshot file: \(error.description)")
    }

    func handle(
        _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPAnswer {
        guard !isOver else { return .later }
        write { [self] error in
            if let error { return fail(error) }
            isOver = true
            let outcome: RequestOutcome
            do throws(MockError) {
                outcome = try admin.restore(snapshot)
            } catch {
                self.loop.respond(to: exchange, HTTPResponse(error))
                return
            }
            switch admin.scheduler.run(outcome, exchange, self.loop) {
            case .respond(let response): self.loop.respond(to: exchange, response)
            case .cut: self.loop.cut(exchange)
            case .later: self.loop.commitTurn()
            }
        }
        return .later
    }

    func abandon() { isOver = true }
}

extension Administration {
    /// How the body of a request is received if it is a snapshot file; nil: it is not.
    package func use(
        ofBodyOf head: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPBodyUse? {
        guard head.method == "POST", head.path == Self.prefix + "import" else { return nil }
        do throws(MockError) {
            try refuseBrowsers(head)
            try requireToken(head)
            guard importSink == nil else {
                throw MockError(
                    status: 409, "another snapshot file is being restored: try again later")
            }
            let sink: ImportSink
            do throws(FileError) {
                sink = try ImportSink(self, exchange, try store.assets.disk(), loop)
            } catch {
                throw ImportSink.refusal(error)
            }
            importSink = sink
            return .stream(sink, bytesMax: SnapshotFile.bytesMax)
        } catch {
            return .refuse(HTTPResponse(error))
        }
    }
}
