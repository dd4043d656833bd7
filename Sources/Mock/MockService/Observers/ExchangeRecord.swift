import Basics
import ClientLinter
package import CloudModel
import CloudWire
import HTTPServer
import MockStore

/// One request and its response, filled in while the request is processed and then given to the
/// ``ExchangeObservers``.
package struct ExchangeRecord {
    /// What the journal keeps of it.
    package var entry: RequestJournal.Entry
    /// For the checks of clients; nil: they do not apply to it.
    var request: HTTPRequest?
    /// nil: no caller was authenticated.
    var caller: Caller?
    var client = ClientName(session: "")
    /// nil: the request names no database.
    var address: Database.Address?
    /// The operation that the path leads to, or why it leads to none; nil: it is not of the service.
    var operation: Result<WireOperation, WireRouteError>?
    /// nil: the body was not decoded.
    var command: CloudCommand?
    /// nil: the request failed as a whole, or has no response.
    var reply: CloudReply?
    /// Why the request failed as a whole.
    private(set) var failure: CloudError?
    /// Whether the client does not receive the response: it was replaced or cut off by a fault.
    var isLost = false
    /// When it arrived, in nanoseconds of the monotonic clock.
    let arrived: Int64
    /// How much later than it was ready the response is sent.
    var delay = Duration.zero

    package init(_ entry: RequestJournal.Entry, arrived: Int64 = MonotonicTime.now()) {
        self.entry = entry
        self.arrived = arrived
    }

    /// Notes why the request failed as a whole.
    package mutating func fail(_ error: CloudError) {
        failure = error
        entry.note(error)
    }

    /// Notes the response and how long it took; nil: the connection is cut instead.
    mutating func finish(_ response: HTTPResponse?) {
        entry.note(response)
        entry.microseconds = (MonotonicTime.now() - arrived) / 1000
    }
}

extension ExchangeRecord {
    mutating func note(_ route: WireRoute) {
        operation = .success(route.operation)
        entry.operation = route.operation.rawValue
        note(route.address)
    }

    mutating func note(_ address: Database.Address) {
        self.address = address
        entry.container = address.container.rawValue
        entry.environment = address.environment
        entry.scope = address.scope
    }

    mutating func note(_ caller: Caller) {
        self.caller = caller
        entry.device = caller.device
        entry.user =
            switch caller {
            case .user(let name, _): name
            // Only its first digits.
            case .serverKey(let id): "key " + id.prefix(8)
            case .anonymous: nil
            }
    }

    mutating func note(_ command: CloudCommand) {
        self.command = command
        entry.items = command.itemCount
        entry.zones = Array(command.zoneNames.prefix(RequestJournal.Entry.zonesMax))
        entry.recordTypes = Array(
            command.recordTypes.sorted().prefix(RequestJournal.Entry.zonesMax)
                .map { String($0.prefix(RequestJournal.Entry.textMax)) })
    }
}
