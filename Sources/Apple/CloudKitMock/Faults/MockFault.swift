import JSON

/// Something that goes wrong with the requests it is about.
///
///     MockFault(.error(.throttled, retryAfter: .seconds(30)), on: "records/modify", times: 1)
///     MockFault(.cutAfterCommit, on: "records/modify", zone: "Notes", nth: 3)
public struct MockFault: Sendable, Hashable {
    /// What happens to a request, or to its answer.
    public enum Effect: Sendable, Hashable {
        /// The whole request fails, and nothing is carried out.
        case error(ServiceError, retryAfter: Duration? = nil)
        /// Items fail, the first so many; nil: all.
        case itemError(ServiceError, items: Int? = nil, retryAfter: Duration? = nil)
        /// Items are missing in the answer, the first so many; nil: all. They were carried out.
        case dropItems(Int? = nil)
        /// Items come twice in the answer, the first so many; nil: all.
        case repeatItems(Int? = nil)
        /// The answer is held back; from 1 ms to 10 minutes.
        case delay(Duration)
        /// The connection is closed, and nothing is carried out.
        case cutBeforeCommit
        /// The request is carried out; the connection is closed without an answer.
        case cutAfterCommit
        /// Lists still name zones that were deleted since the fault was injected.
        case staleZoneList
        /// A page comes without items, with more to come.
        case emptyPage
        /// A page comes twice.
        case repeatPage
        /// Another device creates a deleted zone again, with so many records.
        case recreateZone(records: Int)
        /// Requests fail that come faster than this, with the time to wait.
        case throttle(perSecond: Double, burst: Int? = nil)
    }

    /// An error of the web service, by its code.
    public struct ServiceError: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
        /// As in `serverErrorCode`.
        public let rawValue: String
        /// Any code of the service; another is refused when the fault is injected.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Any code of the service; another is refused when the fault is injected.
        public init(stringLiteral value: String) { rawValue = value }

        /// Too many requests; `requestRateLimited` in the app.
        public static let throttled: Self = "THROTTLED"
        /// The service is busy; `serviceUnavailable` or `zoneBusy` in the app.
        public static let tryAgainLater: Self = "TRY_AGAIN_LATER"
        /// The record was changed meanwhile; `serverRecordChanged` in the app.
        public static let conflict: Self = "CONFLICT"
        /// No such record or zone; `unknownItem` in the app.
        public static let notFound: Self = "NOT_FOUND"
        /// The zone is gone; `zoneNotFound` or `userDeletedZone` in the app.
        public static let zoneNotFound: Self = "ZONE_NOT_FOUND"
        /// The account's storage is full; `quotaExceeded` in the app.
        public static let quotaExceeded: Self = "QUOTA_EXCEEDED"
        /// Not this user's to do; `permissionFailure` in the app.
        public static let accessDenied: Self = "ACCESS_DENIED"
        /// Nobody is signed in any more; `notAuthenticated` in the app.
        public static let authenticationRequired: Self = "AUTHENTICATION_REQUIRED"
        /// The service failed; `serverRejectedRequest` in the app.
        public static let internalError: Self = "INTERNAL_ERROR"
    }

    /// What happens; nil: the rule's text says all.
    private let effect: Effect?
    private let rule: String?
    private var texts: [String: String] = [:]
    private var numbers: [String: Double] = [:]

    /// A fault.
    ///
    /// What is nil is any.
    ///
    /// - Parameters:
    ///   - operation: As in the web service's paths, such as `records/modify`; `reads`, `writes` or `any`.
    ///   - container: With `*` for any text.
    ///   - zone: With `*` for any text.
    ///   - recordType: Of requests that name one.
    ///   - account: Who asks.
    ///   - device: What they ask on.
    ///   - nth: Happens on this request of those it is about first, counted from 1; alone: on this one only.
    ///   - every: Happens on every so-manyth of them.
    ///   - times: Happens at most so often.
    ///   - probability: Happens with this probability, above 0 and at most 1; the seed decides.
    public init(
        _ effect: Effect, on operation: String = "any", container: String? = nil,
        zone: String? = nil, recordType: String? = nil, account: String? = nil,
        device: String? = nil, nth: Int? = nil, every: Int? = nil, times: Int? = nil,
        probability: Double? = nil
    ) {
        self.effect = effect
        rule = nil
        texts = ["operation": operation]
        texts["container"] = container
        texts["zone"] = zone
        texts["recordType"] = recordType
        texts["user"] = account
        texts["device"] = device
        numbers["nth"] = nth.map(Double.init)
        numbers["every"] = every.map(Double.init)
        numbers["times"] = times.map(Double.init)
        numbers["probability"] = probability
    }

    /// A fault in its text form, such as `10% reads -> empty page`.
    public init(rule: String) {
        (effect, self.rule) = (nil, rule)
    }

    /// Writes what the administration takes.
    func write(to writer: inout JSONWriter) {
        guard let effect else {
            writer.string(rule ?? "")
            return
        }
        writer.object { writer in
            writer.object("when") { writer in
                for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
                    writer.member(name, text)
                }
                for (name, number) in numbers.sorted(by: { $0.key < $1.key }) {
                    writer.member(name, exactly: number)
                }
            }
            writer.object("do") { effect.write(to: &$0) }
        }
    }
}

extension MockFault.Effect {
    private var kind: String {
        switch self {
        case .error: "error"
        case .itemError: "itemError"
        case .dropItems: "dropItems"
        case .repeatItems: "repeatItems"
        case .delay: "delay"
        case .cutBeforeCommit: "cutBeforeCommit"
        case .cutAfterCommit: "cutAfterCommit"
        case .staleZoneList: "staleZoneList"
        case .emptyPage: "emptyPage"
        case .repeatPage: "repeatPage"
        case .recreateZone: "recreateZone"
        case .throttle: "throttle"
        }
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("kind", kind)
        switch self {
        case .error(let code, let wait):
            writer.member("code", code.rawValue)
            writer.member("retryAfter", wait)
        case .itemError(let code, let items, let wait):
            writer.member("code", code.rawValue)
            writer.member("items", items)
            writer.member("retryAfter", wait)
        case .dropItems(let items), .repeatItems(let items): writer.member("items", items)
        case .delay(let time):
            let (seconds, rest) = time.components
            let more = rest / 1_000_000_000_000_000
            writer.member(
                "milliseconds", seconds.multipliedReportingOverflow(by: 1000).partialValue + more)
        case .recreateZone(let records): writer.member("records", records)
        case .throttle(let rate, let burst):
            writer.member("perSecond", exactly: rate)
            writer.member("burst", burst)
        case .cutBeforeCommit, .cutAfterCommit, .staleZoneList, .emptyPage, .repeatPage: break
        }
    }
}

extension JSONWriter {
    /// A number, without a fraction where it has none.
    fileprivate mutating func member(_ name: String, exactly number: Double) {
        if let whole = Int(exactly: number) {
            member(name, whole)
        } else {
            member(name, number)
        }
    }

    /// A time in seconds.
    fileprivate mutating func member(_ name: String, _ time: Duration?) {
        guard let time else { return }
        let (seconds, rest) = time.components
        member(name, exactly: Double(seconds) + Double(rest) / 1e18)
    }
}
