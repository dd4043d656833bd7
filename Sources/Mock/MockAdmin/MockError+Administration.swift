import MockService
import MockStore

extension MockError {
    /// The statuses of refusals, and what each means.
    static let statuses: [(status: Int, about: String)] = [
        (400, "the request cannot be parsed, or asks for something impossible"),
        (401, "the administration token or the API token is missing or wrong"),
        (403, "a page from another origin sent the request"),
        (404, "the named object does not exist"),
        (409, "the server's state does not allow it"), (413, "the body is too long"),
        (500, "the change could not be stored"), (503, "the store is busy"),
    ]

    /// The response to an event that cannot be simulated.
    init(_ refusal: SimulatedEvent.Refusal) {
        switch refusal {
        case .malformed(let reason): self.init(reason)
        case .notFound(let reason): self.init(status: 404, reason)
        case .conflict(let reason): self.init(status: 409, reason)
        case .storage(let failure): self.init(failure)
        }
    }
}
