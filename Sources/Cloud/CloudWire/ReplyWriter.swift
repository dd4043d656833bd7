package import CloudModel
internal import JSON

/// What the form of an answer depends on.
struct ReplyForm {
    /// What was asked; nil for an error of the whole request.
    let operation: WireOperation?
    /// The user record name that stands for a zone owner of nil.
    let caller: String
    var options: WireOptions
    /// Makes the `uuid` of each error.
    let nextUUID: () -> String
}

/// Writes answers as the service does, with the keys every known client insists on.
///
/// Keeps its buffer: one writer for each loop.
package struct ReplyWriter {
    private let nextUUID: () -> String
    private var json = JSONWriter(reserving: 4096)

    /// - Parameter nextUUID: Makes the `uuid` of each error.
    package init(nextUUID: @escaping () -> String) {
        self.nextUUID = nextUUID
    }

    /// The answer to a command that was carried out.
    ///
    /// - Parameters:
    ///   - operation: What was asked; tells how `reply` is spelled.
    ///   - caller: The user record name that stands for a zone owner of nil.
    package mutating func write(
        _ reply: CloudReply, to operation: WireOperation, caller: String,
        options: WireOptions = WireOptions()
    ) -> WireResponse {
        if operation == .recordChanges, case .zoneChanges(let items) = reply,
            case .failure(_, let error)? = items.first
        {
            return write(error)
        }
        let form = ReplyForm(
            operation: operation, caller: caller, options: options, nextUUID: nextUUID)
        var status = 200
        json.reset()
        json.beginObject()
        switch reply {
        case .zonePage(let page): json.zonePage(page, form)
        case .zones(let items): json.zones(items, form)
        case .zoneChanges(let items): json.zoneChanges(items, form)
        case .recordPage(let page): json.recordPage(page, form)
        case .recordPages(let items): json.recordPages(items, form)
        case .records(let reply):
            if reply.failedAtomically { status = 400 }
            json.records(reply, form)
        case .shares(let items): json.shares(items, form)
        case .subscriptions(let items): json.subscriptions(items, form)
        case .assetUploads(let items): json.assetUploads(items, form)
        case .assets(let items): json.assets(items, form)
        case .user(let user): json.user(user, form)
        case .users(let items): json.users(items, form)
        case .pushToken(let token): json.pushToken(token)
        case .done: break
        }
        json.endObject()
        return WireResponse(status: status, body: json.copiedBytes())
    }

    /// The answer to the bytes of an asset: what is to be the value of its field.
    package mutating func write(_ asset: Asset) -> WireResponse {
        json.reset()
        json.object { json in json.object("singleFile") { $0.assetMembers(asset) } }
        return WireResponse(status: 200, body: json.copiedBytes())
    }

    /// The answer to a request that failed as a whole.
    ///
    /// Codes that are not the service's own become `INTERNAL_ERROR`.
    package mutating func write(_ error: CloudError) -> WireResponse {
        let form = ReplyForm(
            operation: nil, caller: "", options: WireOptions(), nextUUID: nextUUID)
        json.reset()
        json.object { $0.error(error, form) }
        return WireResponse(
            status: error.httpStatus ?? error.wireCode.httpStatus ?? 500,
            body: json.copiedBytes(), retryAfterSeconds: error.retryAfter?.wholeSeconds)
    }
}

/// What goes back over HTTP.
package struct WireResponse: Sendable, Hashable {
    /// The HTTP status.
    package var status: Int
    /// JSON, in an array of its own.
    package var body: [UInt8]
    /// Whole seconds for the `Retry-After` header; nil when there is no wait, or a part of a
    /// second, which the header cannot say.
    package var retryAfterSeconds: Int?
}
