public import Foundation

extension CKOperation {
    /// Settings of an operation, or of all operations of a group.
    // Unchecked: apps set it up before they enqueue operations that have it.
    public final class Configuration: NSObject, NSCopying, @unchecked Sendable {
        /// Where operations without a database of their own work; nil: the default container.
        public var container: CKContainer?
        /// How urgent the work is.
        public var qualityOfService: QualityOfService = .default {
            didSet { isQualityOfServiceSet = true }
        }
        /// Without meaning here.
        public var allowsCellularAccess = true
        /// Refused when true: nothing goes on after the process.
        public var isLongLived = false
        /// Seconds. Kept and not used: the client has a limit of its own for each request.
        public var timeoutIntervalForRequest: TimeInterval = 60
        /// Seconds for the whole operation: a week unless set.
        public var timeoutIntervalForResource: TimeInterval = 604_800 {
            didSet { isResourceTimeoutSet = true }
        }

        private(set) var isQualityOfServiceSet = false
        private(set) var isResourceTimeoutSet = false

        /// Default settings.
        public override init() {}

        /// Another object with the same settings.
        public func copy(with zone: NSZone? = nil) -> Any {
            let copy = Configuration()
            copy.container = container
            if isQualityOfServiceSet { copy.qualityOfService = qualityOfService }
            copy.allowsCellularAccess = allowsCellularAccess
            copy.isLongLived = isLongLived
            copy.timeoutIntervalForRequest = timeoutIntervalForRequest
            if isResourceTimeoutSet { copy.timeoutIntervalForResource = timeoutIntervalForResource }
            return copy
        }
    }
}

/// The settings that count for one operation.
struct OperationSettings: Sendable {
    let container: CKContainer?
    let qualityOfService: QualityOfService?
    let isLongLived: Bool
    /// nil: no limit of the app's own.
    let resourceTimeout: Duration?

    /// The operation's own settings win over its group's.
    init(own: CKOperation.Configuration?, group: CKOperation.Configuration?) {
        container = own?.container ?? group?.container
        qualityOfService =
            own.flatMap { $0.isQualityOfServiceSet ? $0.qualityOfService : nil }
            ?? group.flatMap { $0.isQualityOfServiceSet ? $0.qualityOfService : nil }
        isLongLived = own?.isLongLived == true || group?.isLongLived == true
        let seconds =
            own.flatMap { $0.isResourceTimeoutSet ? $0.timeoutIntervalForResource : nil }
            ?? group.flatMap { $0.isResourceTimeoutSet ? $0.timeoutIntervalForResource : nil }
        resourceTimeout = seconds.map { .seconds(min(max($0.isFinite ? $0 : 604_800, 0), 604_800)) }
    }
}
