public import Foundation

/// Operations that belong together, and have settings in common.
// Unchecked: apps set it up before they enqueue operations that have it.
public final class CKOperationGroup: NSObject, @unchecked Sendable {
    /// How much data is expected. Without effect here.
    public enum TransferSize: Int, Sendable {
        /// Nobody knows.
        case unknown = 0
        /// Up to a megabyte.
        case kilobytes = 1
        /// Up to ten megabytes.
        case megabytes = 2
        /// Up to a hundred megabytes.
        case tensOfMegabytes = 3
        /// Up to a gigabyte.
        case hundredsOfMegabytes = 4
        /// Up to ten gigabytes.
        case gigabytes = 5
        /// Up to a hundred gigabytes.
        case tensOfGigabytes = 6
        /// More than that.
        case hundredsOfGigabytes = 7
    }

    /// Identifies the group in logs.
    public let operationGroupID = makeUniqueName()
    /// Settings for operations that have none of their own.
    ///
    /// Setting it takes a copy, setting nil the defaults.
    public var defaultConfiguration: CKOperation.Configuration! {
        get { configuration }
        set { configuration = newValue?.copied() ?? .init() }
    }
    private var configuration = CKOperation.Configuration()
    /// A name for people.
    public var name: String?
    /// How many operations or items there will be, for people.
    public var quantity = 0
    /// How much is expected to be sent.
    public var expectedSendSize = TransferSize.unknown
    /// How much is expected to be received.
    public var expectedReceiveSize = TransferSize.unknown

    /// A group with default settings.
    public override init() {}
}
