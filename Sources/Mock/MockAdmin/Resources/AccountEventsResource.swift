import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockFaults
import MockService
import MockStore

/// Simulated events of accounts and of the service.
struct AccountEventsResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "act", answers: ["acts"], isStored: false,
            "lists the account events, and the parameters of each", list),
        AdminEndpoint(
            "POST", "act", takes: .object(["act"] + MockAct.Parameter.allCases.map(\.rawValue)),
            answers: [
                "act", "message", "changed", .list("zones", of: .text),
                .list("users", of: .text), "webToken", "apiToken",
            ], "simulates an account event", simulate),
    ]

    /// The events, and the parameters of each.
    private func list() -> RequestOutcome {
        .object { writer in
            writer.objects("acts", MockAct.Kind.allCases) { writer, kind in
                let (needed, optional) = kind.parameters
                writer.member("act", kind.rawValue)
                writer.member("about", kind.summary)
                writer.member("needs", needed.map(\.rawValue))
                writer.member("takes", optional.map(\.rawValue))
            }
        }
    }

    private func simulate() throws(MockError) -> RequestOutcome {
        let act = try MockAct(body)
        return try refusing { () throws(MockAct.Refusal) in
            if act.kind == .expireWebTokens || act.kind == .rotateWebTokens {
                return .respond(answer(act, try expireWebTokens(act)), after: .zero)
            }
            guard let job = try store.job(for: act) else {
                return .respond(answer(act, try store.carryOut(act)))
            }
            return .job(job) {
                if act.kind == .restore {
                    faults.pages.forget()
                    observers.forgetPositions()
                }
                do throws(MockAct.Refusal) {
                    return answer(act, try job.report())
                } catch {
                    return HTTPResponse(MockError(error))
                }
            }
        }
    }

    /// Expires the web tokens that were issued so far.
    private func expireWebTokens(_ act: MockAct) throws(MockAct.Refusal) -> MockAct.Report {
        try store.check(act)
        let user = act.user ?? ""
        do throws(MockStoreError) {
            try store.expireWebTokens(
                of: user, device: act.device, upTo: authenticator.webTokens.lastNumber)
        } catch {
            throw .storage(error)
        }
        return MockAct.Report(
            message: "web tokens of \(user) have expired on \(act.device ?? "every device")",
            changed: 1)
    }

    private func refusing<Result>(
        _ body: () throws(MockAct.Refusal) -> Result
    ) throws(MockError) -> Result {
        do throws(MockAct.Refusal) { return try body() } catch { throw MockError(error) }
    }

    private func answer(_ act: MockAct, _ report: MockAct.Report) -> HTTPResponse {
        let signedIn: String? =
            switch act.kind {
            case .signIn, .rotateWebTokens: act.user
            case .switchAccount: act.other
            default: nil
            }
        return HTTPResponse.object { writer in
            writer.member("act", act.kind.rawValue)
            writer.member("message", report.message)
            writer.member("changed", report.changed)
            writer.member("zones", report.zones)
            writer.member("users", report.users)
            if let signedIn {
                writer.member("webToken", admin.issueWebToken(user: signedIn, device: act.device))
                writer.member("apiToken", authenticator.defaultAPIToken)
            }
        }
    }
}
