import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockFaults
import MockService
import MockStore

/// Simulated events, and pending work, of which each kind is an event.
struct SimulationResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "simulate", answers: ["events"], isStored: false,
            "lists the events, and the parameters of each", list),
        AdminEndpoint(
            "POST", "simulate",
            takes: .object(["event"] + SimulatedEvent.Parameter.allCases.map(\.rawValue)),
            answers: [
                "event", "message", "changed", .list("zones", of: .text),
                .list("users", of: .text), .count("pending"), "webToken", "apiToken",
            ], "simulates an event", simulate),
        AdminEndpoint(
            "GET", "pending", answers: [.list("pending", of: "PendingWork")],
            "lists the kinds of pending work, and how much of each there is", listPending),
    ]

    /// The events, and the parameters of each.
    private func list() -> RequestOutcome {
        .object { writer in
            writer.objects("events", SimulatedEvent.Kind.allCases) { writer, kind in
                let (needed, optional) = kind.parameters
                writer.member("event", kind.rawValue)
                writer.member("about", kind.summary)
                writer.member("needs", needed.map(\.rawValue))
                writer.member("takes", optional.map(\.rawValue))
            }
        }
    }

    private func listPending() throws(MockError) -> RequestOutcome {
        let all = try storing { () throws(MockStoreError) in
            try SimulatedEvent.Kind.pending.map { kind throws(MockStoreError) in
                (kind, try store.pendingWork(kind) ?? faults.pages.listedDeletedZones(store))
            }
        }
        return .object { writer in
            writer.objects("pending", all) { writer, entry in
                writer.member("event", entry.0.rawValue)
                writer.member("count", entry.1)
                writer.member("about", entry.0.summary)
            }
        }
    }

    private func simulate() throws(MockError) -> RequestOutcome {
        let event = try SimulatedEvent(body)
        return try refusing { () throws(SimulatedEvent.Refusal) in
            if event.kind == .expireWebTokens || event.kind == .rotateWebTokens {
                return .respond(answer(event, try expireWebTokens(event)), after: .zero)
            }
            if event.kind == .updateZoneLists {
                let done = faults.pages.endZoneListLag(event.count, store)
                let left = faults.pages.listedDeletedZones(store)
                return .respond(
                    answer(event, SimulatedEvent.Report(done: done, pending: left)), after: .zero)
            }
            guard let job = try store.job(for: event) else {
                return .respond(answer(event, try store.simulate(event)))
            }
            return .job(job) {
                if event.kind == .restore {
                    faults.pages.forget()
                    observers.forgetPositions()
                }
                do throws(SimulatedEvent.Refusal) {
                    return answer(event, try job.report())
                } catch {
                    return HTTPResponse(MockError(error))
                }
            }
        }
    }

    /// Expires the web tokens that were issued so far.
    private func expireWebTokens(_ event: SimulatedEvent) throws(SimulatedEvent.Refusal)
        -> SimulatedEvent.Report
    {
        try store.check(event)
        let user = event.user ?? ""
        do throws(MockStoreError) {
            try store.expireWebTokens(
                of: user, device: event.device, upTo: authenticator.webTokens.lastNumber)
        } catch {
            throw .storage(error)
        }
        return SimulatedEvent.Report(
            message: "web tokens of \(user) have expired on \(event.device ?? "every device")",
            changed: 1)
    }

    private func refusing<Result>(
        _ body: () throws(SimulatedEvent.Refusal) -> Result
    ) throws(MockError) -> Result {
        do throws(SimulatedEvent.Refusal) { return try body() } catch { throw MockError(error) }
    }

    private func answer(_ event: SimulatedEvent, _ report: SimulatedEvent.Report) -> HTTPResponse {
        let signedIn: String? =
            switch event.kind {
            case .signIn, .rotateWebTokens: event.user
            case .switchAccount: event.other
            default: nil
            }
        return HTTPResponse.object { writer in
            writer.member("event", event.kind.rawValue)
            writer.member("message", report.message)
            writer.member("changed", report.changed)
            writer.member("zones", report.zones)
            writer.member("users", report.users)
            writer.member("pending", report.pending)
            if let signedIn {
                writer.member("webToken", admin.issueWebToken(user: signedIn, device: event.device))
                writer.member("apiToken", authenticator.defaultAPIToken)
            }
        }
    }
}
