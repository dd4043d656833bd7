import CloudModel
import CloudWire
import FileSystem
package import HTTPServer
import MockFaults
package import MockStore

/// Receives and sends the bytes of assets, which clients upload and download by URLs of their own.
package final class AssetTransferService {
    let store: MockStore
    let scheduler: ResponseScheduler
    /// What all uploads have on their way to the disk.
    let uploads = UploadBacklog()
    private let clock: ServerClock
    private let faults: FaultEngine
    private let address: ServerAddress
    private let responses: ResponseWriter
    private let observers: ExchangeObservers

    package init(
        _ store: MockStore, _ address: ServerAddress, _ scheduler: ResponseScheduler
    ) {
        self.store = store
        self.address = address
        self.scheduler = scheduler
        clock = scheduler.clock
        faults = scheduler.faults
        responses = scheduler.responses
        observers = scheduler.observers
    }

    // MARK: - In

    /// How the body of a request is received if it is an upload; nil: it is not.
    package func use(
        ofBodyOf head: HTTPRequest, length: Int?, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPBodyUse? {
        guard WireTransfer(path: head.path) == .upload, head.method != "OPTIONS" else {
            return nil
        }
        let begin = MonotonicTime.now()
        do throws(CloudError) {
            let upload = try openUpload(head)
            do throws(CloudError) {
                let body = try uploadBody(head)
                guard length ?? 0 <= body.bytesMax else { throw body.tooLarge }
                return .stream(
                    UploadSink(
                        self, upload, body, head, exchange,
                        try assetDisk(), loop),
                    // The sink itself refuses a body that is too long.
                    bytesMax: .max)
            } catch {
                return .refuse(
                    whole(finish(upload, .failure(error), head, bytes: 0, began: begin)))
            }
        } catch {
            return .refuse(whole(refuse(.upload, head, error, began: begin)))
        }
    }

    private func uploadBody(_ head: HTTPRequest) throws(CloudError) -> UploadBody {
        try UploadBody(head["content-type"], fileBytesMax: store.options.assetBytesMax)
    }

    /// Processes an upload without a body, for which no body is announced.
    package func handleEmptyUpload(
        _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPAnswer? {
        guard request.body.isEmpty else { return nil }
        return switch use(ofBodyOf: request, length: 0, exchange, loop) {
        case .stream(let sink, _)?: sink.handle(request, exchange, loop)
        case .refuse(let response)?: .respond(response)
        case .collect?, nil: nil
        }
    }

    /// Processes an upload whose body is complete; without a loop.
    package func respond(toUpload request: HTTPRequest) -> RequestOutcome {
        let begin = MonotonicTime.now()
        do throws(CloudError) {
            let upload = try openUpload(request)
            let file: Result<AssetFile, CloudError>
            do throws(CloudError) {
                var body = try uploadBody(request)
                let bytes = try body.content(of: request.body.span)
                try body.finish()
                file = .success(try store.assets.store(bytes))
            } catch {
                file = .failure(error)
            }
            return finish(
                upload, file, request, bytes: request.body.count, began: begin)
        } catch {
            return refuse(.upload, request, error, began: begin)
        }
    }

    private func assetDisk() throws(CloudError) -> AssetDisk {
        do throws(FileError) {
            return try store.assets.disk()
        } catch {
            throw .assetNotStored(error)
        }
    }

    private func openUpload(_ request: HTTPRequest) throws(CloudError) -> AssetUpload {
        try requireMethod(of: .upload, request)
        let path = WireTransfer.upload.token(in: request.path) ?? ""
        return try store.transferring { () throws(CloudError) in
            try store.assets.upload(at: path, now: clock.now)
        }
    }

    private func requireMethod(
        of transfer: WireTransfer, _ request: HTTPRequest
    ) throws(CloudError) {
        guard transfer.methods.contains(request.method) else {
            throw CloudError(
                .badRequest, reason: "use \(transfer.methods.joined(separator: " or "))",
                httpStatus: 405)
        }
    }

    /// Finishes an upload whose file is in place, or failed.
    func finish(
        _ upload: AssetUpload, _ file: Result<AssetFile, CloudError>, _ request: HTTPRequest,
        bytes: Int, began: Int64
    ) -> RequestOutcome {
        var record = record(.upload, request, upload.database, arrived: began)
        record.entry.requestBytes = bytes
        let decision = decide(.upload, upload.database, &record)
        var wire: WireResponse?
        do throws(CloudError) {
            if case .success(let file) = file {
                defer { store.assets.settle(file.digest) }
                try checkFault(decision)
                if decision.isCarriedOut {
                    let asset = try store.transferring { () throws(CloudError) in
                        try store.assets.receive(file, at: upload.id, now: clock.now)
                    }
                    if decision.ending != .cutAfterCommit { wire = responses.write(asset) }
                } else if decision.substitute != nil {
                    // Its place is taken later.
                    wire = responses.write(CloudError(.internalError))
                }
            } else {
                _ = try file.get()
            }
        } catch {
            record.fail(error)
            wire = responses.write(error)
        }
        return finish(record, wire, request, decision)
    }

    private func whole(_ outcome: RequestOutcome) -> HTTPResponse {
        if case .respond(let response, _) = outcome { return response }
        return HTTPResponse(status: 503)
    }

    // MARK: - Out

    /// Processes a download.
    package func respond(toDownload request: HTTPRequest) -> RequestOutcome {
        let begin = MonotonicTime.now()
        do throws(CloudError) {
            try requireMethod(of: .download, request)
            let path = WireTransfer.download.token(in: request.path) ?? ""
            let database = try store.transferring { () throws(CloudError) in
                try store.assets.database(ofDownloadAt: path)
            }
            var record = record(.download, request, database, arrived: begin)
            let decision = decide(.download, database, &record)
            do throws(CloudError) {
                try checkFault(decision)
                if [.cutBeforeCommit, .cutAfterCommit].contains(decision.ending) {
                    return finish(record, nil, request, decision)
                }
                let download = try store.transferring { () throws(CloudError) in
                    try store.assets.download(at: path, now: clock.now)
                }
                var response: HTTPResponse? = try send(download, to: request)
                decision.alter(&response)
                record.finish(response)
                observers.note(record)
                return RequestOutcome(response, decision)
            } catch {
                record.fail(error)
                return finish(record, responses.write(error), request, decision)
            }
        } catch {
            return refuse(.download, request, error, began: begin)
        }
    }

    private func send(
        _ download: AssetDownload, to request: HTTPRequest
    ) throws(CloudError) -> HTTPResponse {
        let tag = "\"\(download.file.digest.name)\""
        var headers: HTTPHeaders = [
            "content-type": "application/octet-stream", "content-disposition": "attachment",
            "cache-control": "private, no-cache",
            "access-control-expose-headers":
                "Accept-Ranges,Content-Disposition,Content-Length,Content-Range,ETag",
        ]
        headers.append("etag", tag)
        ResponseWriter.allowOrigin(request, &headers)
        let isCurrent = request["if-range"].map { $0 == tag } ?? true
        let range = request.method == "GET" && isCurrent ? request["range"] : nil
        let path = try assetDisk().folder.file(download.file.digest)
        do throws(FileError) {
            let source = try AssetSource(path)
            return HTTPResponse(
                range: range, of: Int(download.file.size), headers: headers
            ) { source.part($0) }
        } catch {
            throw CloudError(.internalError, reason: "cannot read the asset's file")
        }
    }

    // MARK: - Both

    private func record(
        _ transfer: WireTransfer, _ request: HTTPRequest, _ database: DatabaseKey?, arrived: Int64
    ) -> ExchangeRecord {
        var record = ExchangeRecord(
            RequestJournal.Entry(
                time: clock.now, method: request.method, operation: transfer.rawValue, status: 0),
            arrived: arrived)
        if let database { record.note(database.address) }
        return record
    }

    private func decide(
        _ transfer: WireTransfer, _ database: DatabaseKey?, _ record: inout ExchangeRecord
    ) -> FaultPlan.Decision {
        guard !faults.plan.isEmpty, let database else { return FaultPlan.Decision() }
        let decision = faults.plan.decide(
            FaultContext(transfer, address: database.address, now: record.entry.time))
        record.entry.faults = decision.fired
        return decision
    }

    private func checkFault(_ decision: FaultPlan.Decision) throws(CloudError) {
        switch decision.ending {
        case .error?:
            throw decision.rule?.error(signInURL: address.baseURL) ?? CloudError(.internalError)
        case .throttle?: throw decision.throttled ?? CloudError(.throttled)
        default: return
        }
    }

    /// The response to a request whose URL leads to no upload and no asset.
    private func refuse(
        _ transfer: WireTransfer, _ request: HTTPRequest, _ error: CloudError, began: Int64
    ) -> RequestOutcome {
        var record = record(transfer, request, nil, arrived: began)
        record.fail(error)
        return finish(
            record, responses.write(error), request, FaultPlan.Decision(),
            allow: error.httpStatus == 405 ? transfer.methods + ["OPTIONS"] : nil)
    }

    private func finish(
        _ record: ExchangeRecord, _ wire: WireResponse?, _ request: HTTPRequest,
        _ decision: FaultPlan.Decision, allow: [String]? = nil
    ) -> RequestOutcome {
        var record = record
        let uuid = record.failure == nil ? nil : responses.latestUUID
        record.entry.uuid = uuid
        var response = wire.map {
            responses.response(
                $0, to: request, uuid: uuid, allow: allow?.joined(separator: ", "))
        }
        decision.alter(&response)
        record.finish(response)
        observers.note(record)
        return RequestOutcome(response, decision)
    }
}
