public import Foundation

// Settings as apps set them before there were configurations. Apple calls these deprecated.
extension CKOperation {
    /// The configuration's container.
    public var container: CKContainer? {
        get { configuration.container }
        set { configuration.container = newValue }
    }

    /// The configuration's leave for cellular networks.
    public var allowsCellularAccess: Bool {
        get { configuration.allowsCellularAccess }
        set { configuration.allowsCellularAccess = newValue }
    }

    /// Whether the operation is to outlive the process, as its configuration says.
    public var isLongLived: Bool {
        get { configuration.isLongLived }
        set { configuration.isLongLived = newValue }
    }

    /// The configuration's seconds for each request.
    public var timeoutIntervalForRequest: TimeInterval {
        get { configuration.timeoutIntervalForRequest }
        set { configuration.timeoutIntervalForRequest = newValue }
    }

    /// The configuration's seconds for the whole operation.
    public var timeoutIntervalForResource: TimeInterval {
        get { configuration.timeoutIntervalForResource }
        set { configuration.timeoutIntervalForResource = newValue }
    }
}
