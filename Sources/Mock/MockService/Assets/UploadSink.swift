import CloudModel
import FileSystem
import HTTPServer
import MockStore

/// Takes the body of an upload to the disk piece by piece, while others are served.
///
/// Unchecked: all of it is used on the loop's thread alone; the disk's thread only hands it back.
final class UploadSink: HTTPBodySink, @unchecked Sendable {
    /// Bytes that are written at once.
    private static let writeBytes = 64 << 10
    /// Bytes that may be on their way to the disk before the client has to wait.
    private static let inFlightBytesMax = 128 << 10
    /// What the end of an upload counts for in the backlog.
    private static let endBytes = 1 << 10

    /// What the client waits for.
    private enum Wait { case nothing, ownWrites, turn }

    /// The request whose body it is.
    private struct Transfer {
        let upload: AssetUpload
        let head: HTTPRequest
        let exchange: ExchangeID
        let began = MonotonicTime.now()
    }

    private let service: AssetTransferService
    private let transfer: Transfer
    private let loop: HTTPLoop
    private let disk: AssetDisk
    private let draft: AssetDraft
    private var body: UploadBody
    private var pending: [UInt8] = []
    private var inFlight = 0
    private var received = 0
    private var wait = Wait.nothing
    /// Whether the file is open before the body has ended.
    private var isOpen = false
    /// Whether it was responded to, or its client disconnected.
    private var isOver = false

    init(
        _ service: AssetTransferService, _ upload: AssetUpload, _ body: UploadBody,
        _ head: HTTPRequest, _ exchange: ExchangeID, _ disk: AssetDisk, _ loop: HTTPLoop
    ) {
        self.service = service
        transfer = Transfer(upload: upload, head: head, exchange: exchange)
        self.body = body
        self.disk = disk
        self.loop = loop
        draft = disk.begin()
    }

    private var backlog: UploadBacklog { service.uploads }

    /// What is on its way to the disk is counted by the backlog.
    var heldBytes: Int { pending.count }

    func take(_ piece: Span<UInt8>) -> HTTPBodyDemand {
        guard !isOver else { return .more }
        received += piece.count
        // A form may have any length around its file.
        guard received <= body.bytesMax else {
            fail(body.tooLarge)
            return .more
        }
        do throws(CloudError) {
            pending += try body.content(of: piece)
        } catch {
            fail(error)
            return .more
        }
        advance()
        return wait == .nothing ? .more : .notNow
    }

    /// Writes what has arrived, or decides what to wait for.
    private func advance() {
        let isEnough = pending.count >= Self.writeBytes
        guard backlog.hasRoom(openingFile: isEnough && !isOpen) else {
            wait = .turn
            if !backlog.enqueue(self) { fail(.tooManyUploads) }
            return
        }
        if isEnough {
            if !isOpen { backlog.openFile() }
            isOpen = true
            write()
        }
        wait = inFlight < Self.inFlightBytesMax ? .nothing : .ownWrites
    }

    /// Resumes the client if there is nothing more to wait for.
    func goOn() {
        advance()
        if wait == .nothing { loop.resumeBody(of: transfer.exchange) }
    }

    private func write() {
        guard !pending.isEmpty else { return }
        let (bytes, post) = (pending, loop.post)
        pending = []
        inFlight += bytes.count
        backlog.begin(bytes.count, loop)
        disk.write(bytes, to: draft) { [self] error in
            post { _ in self.wrote(bytes.count, error) }
        }
    }

    private func wrote(_ count: Int, _ error: FileError?) {
        inFlight -= count
        defer { backlog.end(count, loop) }
        guard !isOver else { return }
        if let error { return fail(.assetNotStored(error)) }
        if wait == .ownWrites, inFlight < Self.inFlightBytesMax { goOn() }
    }

    /// Responds before the body has ended, or its file is complete.
    private func fail(_ error: CloudError) {
        answer(.failure(error))
        drop()
    }

    /// Removes the draft.
    private func drop() {
        pending = []
        if wait == .turn { backlog.remove(self) }
        guard isOpen else { return }
        isOpen = false
        let post = loop.post
        disk.drop(draft) { [self] in post { _ in self.backlog.closeFile() } }
    }

    func handle(
        _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPAnswer {
        guard !isOver else { return .later }
        do throws(CloudError) {
            try body.finish()
        } catch {
            drop()
            return end(.failure(error))
        }
        // An empty one has not been asked to wait.
        guard received > 0 || backlog.hasRoom(openingFile: false) else {
            return end(.failure(.tooManyUploads))
        }
        write()
        backlog.begin(Self.endBytes, loop)
        let post = loop.post
        disk.finish(draft) { [self] result in post { _ in self.finished(result) } }
        return .later
    }

    private func finished(_ result: Result<AssetFile, AssetDisk.Failure>) {
        defer { backlog.end(Self.endBytes, loop) }
        if isOpen { backlog.closeFile() }
        isOpen = false
        switch result {
        case .success(let file):
            // The client received a failure already.
            guard !isOver else { return service.store.assets.settle(file.digest) }
            answer(.success(file))
        case .failure(let failure):
            let error = service.store.assets.refusal(failure)
            if !isOver { answer(.failure(error)) }
        }
    }

    /// Answers outside of ``handle(_:_:_:)``.
    private func answer(_ result: Result<AssetFile, CloudError>) {
        switch end(result) {
        case .respond(let response): loop.respond(to: transfer.exchange, response)
        case .cut: loop.cut(transfer.exchange)
        // The response is sent later; its changes are committed with this batch.
        case .later: loop.commitTurn()
        }
    }

    private func end(_ result: Result<AssetFile, CloudError>) -> HTTPAnswer {
        isOver = true
        let outcome = service.finish(
            transfer.upload, result, transfer.head, bytes: received, began: transfer.began)
        return service.scheduler.run(outcome, transfer.exchange, loop)
    }

    func abandon() {
        guard !isOver else { return }
        isOver = true
        drop()
    }
}

extension CloudError {
    /// The disk is behind, and others wait for it already.
    fileprivate static let tooManyUploads = CloudError(
        .tryAgainLater, reason: "too many uploads at once for the disk",
        retryAfter: .seconds(1), rule: "upload-backlog")
}
