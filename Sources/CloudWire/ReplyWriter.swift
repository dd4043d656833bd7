package import CloudModel
internal import JSON

/// Writes answers as the service does, with the keys every known client insists on.
///
/// Keeps its buffer: one writer for each loop.
package struct ReplyWriter {
    /// What the form of one answer depends on.
    struct Context {
        let operation: WireOperation
        let caller: String
        let options: WireOptions
    }

    private let nextUUID: () -> String
    var json = JSONWriter(reserving: 4096)

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
        let context = Context(operation: operation, caller: caller, options: options)
        json.reset()
        var status = 200
        switch reply {
        case .zonePage(let page): zonePage(page, context)
        case .zones(let items): zones(items, context)
        case .zoneChanges(let items):
            if operation == .recordChanges, case .failure(_, let error)? = items.first {
                return write(error)
            }
            zoneChanges(items, context)
        case .recordPage(let page): recordPage(page, context)
        case .records(let reply):
            if reply.failedAtomically { status = 400 }
            records(reply, context)
        case .subscriptions(let items): subscriptions(items, context)
        case .user(let user): self.user(user, context)
        case .done:
            json.beginObject()
            json.endObject()
        }
        return WireResponse(status: status, body: json.copiedBytes())
    }

    /// The answer to a request that failed as a whole.
    ///
    /// Codes that are not the service's own become `INTERNAL_ERROR`.
    package mutating func write(_ error: CloudError) -> WireResponse {
        json.reset()
        json.beginObject()
        describe(error)
        json.endObject()
        let code = Self.serviceCode(error)
        let seconds = error.retryAfter.flatMap(Self.wholeSeconds)
        return WireResponse(
            status: error.httpStatus ?? code.httpStatus ?? 500, body: json.copiedBytes(),
            retryAfterSeconds: seconds)
    }

    /// The keys that an item's error and a whole request's have in common.
    mutating func describe(_ error: CloudError) {
        json.pair("uuid", nextUUID())
        json.pair("serverErrorCode", Self.serviceCode(error).rawValue)
        json.pair("reason", error.reason)
        if let wait = error.retryAfter {
            json.key("retryAfter")
            if let seconds = Self.wholeSeconds(wait) {
                json.int64(Int64(seconds))
            } else {
                json.double(Double(wait / .milliseconds(1)) / 1000)
            }
        }
        json.pair("redirectURL", error.redirectURL)
    }

    /// One of the fourteen codes: some clients stop at any other.
    private static func serviceCode(_ error: CloudError) -> CloudError.Code {
        error.code.isServiceCode ? error.code : .internalError
    }

    private static func wholeSeconds(_ wait: Duration) -> Int? {
        let (seconds, attoseconds) = wait.components
        return attoseconds == 0 && seconds >= 0 ? Int(seconds) : nil
    }

    private mutating func user(_ user: UserIdentity, _ context: Context) {
        json.beginObject()
        if context.operation == .currentUser {
            json.pair("userRecordName", user.userRecordName)
            json.pair("firstName", user.givenName)
            json.pair("lastName", user.familyName)
        } else {
            // Documented inside `users`, read by clients from the top: both.
            identity(user)
            json.key("users")
            json.beginArray()
            json.beginObject()
            identity(user)
            json.endObject()
            json.endArray()
        }
        json.endObject()
    }

    private mutating func identity(_ user: UserIdentity) {
        json.pair("userRecordName", user.userRecordName)
        guard user.givenName != nil || user.familyName != nil else { return }
        json.key("nameComponents")
        json.beginObject()
        json.pair("givenName", user.givenName)
        json.pair("familyName", user.familyName)
        json.endObject()
    }

    private mutating func subscriptions(_ items: [Subscription.Item], _ context: Context) {
        json.beginObject()
        json.key("subscriptions")
        json.beginArray()
        for item in items {
            switch item {
            case .subscription(let subscription):
                json.subscription(subscription, caller: context.caller)
            case .deleted(let id):
                json.beginObject()
                json.pair("subscriptionID", id)
                json.pair("deleted", true)
                json.endObject()
            case .failure(let id, let error):
                json.beginObject()
                json.pair("subscriptionID", id)
                describe(error)
                json.endObject()
            }
        }
        json.endArray()
        json.endObject()
    }
}
