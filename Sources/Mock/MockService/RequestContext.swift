import Basics
import ClientLinter
import CloudModel
import CloudWire
package import MockFaults
import MockStore

/// What is known of a request once its caller is authenticated.
struct RequestContext {
    let address: Database.Address
    let caller: Caller
    /// For the throttle and the checks of clients.
    let client: ClientName
    /// For pushes, which a client does not get for its own changes.
    let pushClient: PushClient
    /// When it arrived, by the server's clock.
    let time: Timestamp
    /// What URLs in its response begin with.
    let baseURL: String
    /// nil: no page can be opened, as for a command in process.
    let signIn: SignInLink?

    /// How its command reaches the store.
    ///
    /// - Parameter lag: How long ago the feeds end that it reads.
    func origin(behind lag: Duration) -> CommandOrigin {
        CommandOrigin(client: pushClient, lag: lag, baseURL: baseURL)
    }
}

/// A request on its way: what was decided about it, and what is observed of it.
package struct RequestProgress {
    var record: ExchangeRecord
    /// The web token that was accepted, and whose it is.
    var session: Authenticator.Session?
    var decision = FaultPlan.Decision()
    /// How far it had come when it was held last.
    var stage = Stage.new
    /// Where it is to wait, and how it continues then.
    var pause: (holds: [GateHold], stage: Stage)?

    /// How far a request has come that was held.
    package enum Stage {
        case new
        /// It has waited where it was received, at the gates of these faults.
        case arrived(held: [String])
        case decided(FaultPlan.Decision)
    }

    init(_ record: ExchangeRecord, _ stage: Stage = .new) {
        self.record = record
        self.stage = stage
    }
}
