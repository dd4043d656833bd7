import CloudModel
import FileSystem
import HTTPServer

/// Takes the body of an upload to the disk piece by piece, while others are served.
///
/// Unchecked: all of it is used on the loop's thread alone; the disk's thread only hands it back.
final class UploadSink: HTTPBodySink, @unchecked Sendable {
    /// Bytes that are written at once.
    private static let writeBytes = 64 << 10
    /// Bytes that may be on their way to the disk before the client has to wait.
    private static let inFlightBytesMax = 128 << 10

    private let application: MockApplication
    private let exchange: ExchangeID
    private let head: HTTPRequest
    private let upload: AssetUpload
    private let loop: HTTPLoop
    private let disk: AssetDisk
    private let draft: AssetDraft
    private var body: UploadBody
    private var pending: [UInt8] = []
    private var inFlight = 0
    private var received = 0
    private var isWaiting = false
    /// Answered, or without anybody to answer.
    private var isOver = false
    private let begin = MonotonicTime.now()

    init(
        _ application: MockApplication, _ upload: AssetUpload, _ body: UploadBody,
        _ head: HTTPRequest, _ exchange: ExchangeID, _ disk: AssetDisk, _ loop: HTTPLoop
    ) {
        self.application = application
        self.upload = upload
        self.body = body
        self.head = head
        self.exchange = exchange
        self.disk = disk
        self.loop = loop
        draft = disk.begin()
    }

    var heldBytes: Int { pending.count + inFlight }

    func take(_ piece: Span<UInt8>) -> HTTPBodyDemand {
        guard !isOver else { return .more }
        received += piece.count
        // A form may have any length around its file.
        guard received <= UploadBody.bytesMax else {
            fail(UploadBody.tooLarge)
            return .more
        }
        do throws(CloudError) {
            pending += try body.content(of: piece)
        } catch {
            fail(error)
            return .more
        }
        if pending.count >= Self.writeBytes { write() }
        isWaiting = inFlight >= Self.inFlightBytesMax
        return isWaiting ? .notNow : .more
    }

    private func write() {
        guard !pending.isEmpty else { return }
        let (bytes, post) = (pending, loop.post)
        pending = []
        inFlight += bytes.count
        disk.write(bytes, to: draft) { [self] error in
            post { _ in self.wrote(bytes.count, error) }
        }
    }

    private func wrote(_ count: Int, _ error: FileError?) {
        inFlight -= count
        guard !isOver else { return }
        if let error { return fail(.assetNotStored(error)) }
        if isWaiting, inFlight < Self.inFlightBytesMax {
            isWaiting = false
            loop.resumeBody(of: exchange)
        }
    }

    /// Answers before the body has ended, or its file is whole.
    private func fail(_ error: CloudError) {
        answer(.failure(error))
        disk.drop(draft)
    }

    func handle(
        _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPAnswer {
        guard !isOver else { return .later }
        do throws(CloudError) {
            try body.finish()
        } catch {
            disk.drop(draft)
            return end(.failure(error))
        }
        write()
        let post = loop.post
        disk.finish(draft) { [self] result in post { _ in self.finished(result) } }
        return .later
    }

    private func finished(_ result: Result<AssetFile, FileError>) {
        switch result {
        case .success(let file):
            // A failure of which the client has been told already.
            guard !isOver else { return application.store.assets.settle(file) }
            answer(.success(file))
        case .failure(let error):
            if !isOver { answer(.failure(.assetNotStored(error))) }
        }
    }

    /// Answers outside of ``handle(_:_:_:)``.
    private func answer(_ result: Result<AssetFile, CloudError>) {
        switch end(result) {
        case .respond(let response): loop.respond(to: exchange, response)
        case .cut: loop.cut(exchange)
        // The answer comes later, and what it tells of with this turn.
        case .later: loop.commitTurn()
        }
    }

    private func end(_ result: Result<AssetFile, CloudError>) -> HTTPAnswer {
        isOver = true
        let outcome = application.finishUpload(
            upload, result, head, bytes: received, began: begin)
        return application.carryOut(outcome, exchange, loop)
    }

    func abandon() {
        guard !isOver else { return }
        isOver = true
        disk.drop(draft)
    }
}
