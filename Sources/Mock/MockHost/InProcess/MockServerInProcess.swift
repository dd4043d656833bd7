import AsyncOperations
package import Basics
package import CloudModel
package import HTTPServer
package import MockService
package import MockStore

/// The mock server without sockets: its own namespace and all others, behind one lock.
///
/// Requests come one at a time, and each is committed before its response is returned. Nothing runs between them: pending
/// work is done after each, and no request waits for pushes.
package final class MockServerInProcess: Sendable {
    /// An answer as bytes, and how long it is to be held back.
    package struct Answer: Sendable {
        /// nil: the connection is cut.
        package let response: Response?
        package let delay: Duration
    }

    /// The parts of an HTTP answer.
    package struct Response: Sendable {
        package let status: Int
        /// Names in lower case.
        package let headers: [(name: String, value: String)]
        package let body: [UInt8]
    }

    /// The outcome of a command; nil: the connection was cut.
    package struct Outcome: Sendable {
        package let result: Result<CloudReply, CloudError>?
        package let delay: Duration
    }

    /// Slices of upkeep after one request.
    private static let slicesMax = 64

    /// What repeats its names, tokens and faults.
    package let seed: UInt64
    /// What requests to the administration carry.
    package let adminToken: AdminToken
    private let namespaces: Locked<Namespaces>

    /// Opens the store and puts users and containers of the configuration in place.
    ///
    /// - Parameter baseURL: What URLs in responses begin with; no socket listens there.
    package init(
        _ configuration: MockServerConfiguration, baseURL: String, clock: WallClock
    ) throws(MockServerError) {
        let application = try NamespaceHost(configuration, clock: clock)
        application.baseURL = baseURL
        seed = application.seed
        adminToken = application.adminToken
        namespaces = Locked(try Namespaces(application, clock: clock))
    }

    /// Answers a request as the server does.
    ///
    /// - Throws: What its store fails with.
    package func answer(_ request: HTTPRequest) throws -> Answer {
        try namespaces.withLock { namespaces throws -> Answer in
            var request = request
            let host: NamespaceHost
            do throws(MockError) {
                host = try namespaces.host(asked: &request)
            } catch {
                return Answer(
                    response: Self.response(NamespaceRefusal.response(error)), delay: .zero)
            }
            var delay = Duration.zero
            let response = try host.answer(request, delay: &delay)
            try Self.tidy(host)
            return Answer(response: response.map(Self.response), delay: delay)
        }
    }

    /// Carries out a command without any wire form.
    ///
    /// - Parameter namespace: The name of a namespace; nil: the server's own.
    package func perform(
        _ command: CloudCommand, at address: Database.Address, by caller: Caller,
        in namespace: String?
    ) -> Outcome {
        namespaces.withLock { namespaces -> Outcome in
            do {
                let host =
                    try namespace.map { try namespaces.find(NamespaceName($0)) } ?? namespaces.home
                let (result, delay) = host.service.perform(command, at: address, by: caller)
                try host.commit()
                try Self.tidy(host)
                return Outcome(result: result, delay: delay)
            } catch {
                let error = CloudError(.internalError, reason: "not executed: \(error)")
                return Outcome(result: .failure(error), delay: .zero)
            }
        }
    }

    /// Frees what no request can reach any more.
    private static func tidy(_ host: NamespaceHost) throws(MockStoreError) {
        for _ in 0..<slicesMax {
            guard try host.store.purgeSome() else { return }
            try host.commit()
        }
    }

    private static func response(_ response: HTTPResponse) -> Response {
        Response(status: response.status, headers: response.headers.pairs, body: response.body)
    }
}
