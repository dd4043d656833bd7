import CloudModel
import CloudWire

/// What is known of a request for who watches, by the time it is answered.
struct WatchedExchange {
    var client = ClientName(session: "")
    var route: WireRoute?
    /// Why it leads nowhere.
    var dead: WireRouteError?
    var command: CloudCommand?
    var reply: CloudReply?
    /// Why the whole of it failed.
    var failure: CloudError?
}
