import CloudWire
import JSON
import MockFaults
import MockService
import MockStore

/// One request to the administration API; its keys were checked against the endpoint.
struct AdminCall {
    let admin: Administration
    let query: WireQuery
    /// An empty object if the body is missing or not JSON.
    let body: JSONValue
    let bytes: [UInt8]
    /// The `Range` field.
    let range: String?
    /// The last event that a client received that reconnects to the event stream.
    let lastEventID: String?
    /// What URLs in the response begin with.
    let baseURL: String
    /// Whether it carries the administration token.
    let isAuthorized: Bool
}

/// A resource of the administration API: processes the requests of its endpoints.
protocol AdminResource: SendableMetatype {
    static var endpoints: [AdminEndpoint] { get }
    var call: AdminCall { get }
    init(call: AdminCall)
}

extension AdminResource {
    var admin: Administration { call.admin }
    var store: MockStore { admin.store }
    var clock: ServerClock { admin.scheduler.clock }
    var authenticator: Authenticator { admin.authenticator }
    var faults: FaultEngine { admin.scheduler.faults }
    var observers: ExchangeObservers { admin.scheduler.observers }
    var scheduler: ResponseScheduler { admin.scheduler }
    var query: WireQuery { call.query }
    var body: JSONValue { call.body }
}
