import CloudCourier
package import CloudModel
import DonationSync

/// The one way by which a sync changes anything remote: requests to the app's own donation zone.
///
/// Everything else it is given can only be read, so that no deletion of a donation deletes content.
package struct ExchangeWriter: Sendable {
    private let database: any CloudDatabase

    /// The way to the donation zone in a database.
    package init(_ database: any CloudDatabase) { self.database = database }

    /// Sends a change of the donation zone, once.
    func send(
        _ command: ExchangeCommand, by courier: Courier
    ) async throws(Courier.Failure) -> CloudReply {
        try await courier.send(command.request, to: database)
    }
}

/// Gives the way to the donation zone of the database at an address.
package typealias ExchangeWriters = @Sendable (Database.Address) -> ExchangeWriter
