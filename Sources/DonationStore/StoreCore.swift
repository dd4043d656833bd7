import CloudModel
import SQLite

/// The store's tables, used by its thread alone.
final class StoreCore {
    let connection: Connection
    let configuration: DonationConfiguration

    init(_ configuration: DonationConfiguration) throws(DonationError) {
        preconditionFailure("not yet")
    }

    /// The time of this call.
    var now: Timestamp { configuration.moment }
}
