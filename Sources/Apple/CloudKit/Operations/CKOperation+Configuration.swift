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
        /// Whether the operation is kept until it has ended, so that the next process can go on with it.
        ///
        /// Nothing goes on between two processes: see `CKContainer.allLongLivedOperationIDs()`. Such an
        /// operation fetches, queries or changes records or zones; others end with `invalidArguments`.
        public var isLongLived = false
        /// Seconds for each request, from its beginning to its end; a minute unless set.
        public var timeoutIntervalForRequest: TimeInterval = 60 {
            didSet { isRequestTimeoutSet = true }
        }
        /// Seconds for the whole operation: a week unless set.
        public var timeoutIntervalForResource: TimeInterval = 604_800 {
            didSet { isResourceTimeoutSet = true }
        }

        private(set) var isQualityOfServiceSet = false
        private(set) var isRequestTimeoutSet = false
        private(set) var isResourceTimeoutSet = false

        /// Default settings.
        public override init() {}

        /// Another object with the same settings.
        public func copy(with zone: NSZone? = nil) -> Any { copied() }

        func copied() -> Configuration {
            let copy = Configuration()
            copy.container = container
            if isQualityOfServiceSet { copy.qualityOfService = qualityOfService }
            copy.allowsCellularAccess = allowsCellularAccess
            copy.isLongLived = isLongLived
            if isRequestTimeoutSet { copy.timeoutIntervalForRequest = timeoutIntervalForRequest }
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
    let requestTimeout: Duration?
    /// nil: no limit of the app's own.
    let resourceTimeout: Duration?

    /// The operation's own settings win over its group's.
    ///
    /// - Parameter home: The container that counts where neither names one.
    init(
        own: CKOperation.Configuration?, group: CKOperation.Configuration?,
        home: CKContainer? = nil
    ) {
        container = own?.container ?? group?.container ?? home
        qualityOfService =
            own.flatMap { $0.isQualityOfServiceSet ? $0.qualityOfService : nil }
            ?? group.flatMap { $0.isQualityOfServiceSet ? $0.qualityOfService : nil }
        isLongLived = own?.isLongLived == true || group?.isLongLived == true
        requestTimeout = Self.limit(own, group) {
            $0.isRequestTimeoutSet ? $0.timeoutIntervalForRequest : nil
        }
        resourceTimeout = Self.limit(own, group) {
            $0.isResourceTimeoutSet ? $0.timeoutIntervalForResource : nil
        }
    }

    /// The settings of one request of an operation, which watches over the whole itself.
    init(requestOf settings: OperationSettings) {
        container = settings.container
        qualityOfService = settings.qualityOfService
        isLongLived = false
        requestTimeout = settings.requestTimeout
        resourceTimeout = nil
    }

    /// What one request may take; nil: no limit of the app's own.
    var timeout: Duration? { [requestTimeout, resourceTimeout].compactMap { $0 }.min() }

    private static func limit(
        _ own: CKOperation.Configuration?, _ group: CKOperation.Configuration?,
        _ seconds: (CKOperation.Configuration) -> TimeInterval?
    ) -> Duration? {
        let seconds = own.flatMap(seconds) ?? group.flatMap(seconds)
        return seconds.map { .seconds(min(max($0.isFinite ? $0 : 604_800, 0), 604_800)) }
    }
}
