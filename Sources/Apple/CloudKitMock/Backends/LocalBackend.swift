import CloudClient
import CloudModel
import HTTPClient
import HTTPServer
import MockHost
import MockService
import MockStore

/// A mock server in this process, without sockets.
struct LocalBackend: Backend {
    let depth: MockDepth
    let url = "https://localhost"
    let certificateFile: String? = nil
    private let server: MockServerInProcess

    var seed: UInt64 { server.seed }
    var adminToken: AdminToken { server.adminToken }

    init(_ depth: MockDepth, _ configuration: MockServerConfiguration) throws(MockServerError) {
        self.depth = depth
        server = try MockServerInProcess(configuration, baseURL: url, clock: .system)
    }

    func send(
        _ request: HTTPClientRequest
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        let body = try request.gatheredBody()
        let answer: MockServerInProcess.Answer
        do {
            answer = try server.answer(HTTPRequest(request, body))
        } catch {
            throw HTTPClientError(
                .connectionLost, "the mock server failed: \(error)", mayHaveBeenCarriedOut: true)
        }
        do {
            try await Edge.wait(answer.delay)
        } catch {
            throw HTTPClientError(.cancelled, "cancelled", mayHaveBeenCarriedOut: true)
        }
        guard let response = answer.response else {
            throw HTTPClientError(
                .connectionLost, "the mock server closed the connection",
                mayHaveBeenCarriedOut: true)
        }
        guard let sink = request.sink, response.status == 200 else {
            return HTTPClientResponse(
                status: response.status, headers: response.headers, body: response.body)
        }
        guard response.body.count <= sink.bytesMax else {
            throw HTTPClientError(
                .tooLarge, "more bytes than announced", mayHaveBeenCarriedOut: true)
        }
        guard response.body.isEmpty || sink.take(response.body) else {
            throw HTTPClientError(
                .notTaken, "the response could not be stored",
                mayHaveBeenCarriedOut: true)
        }
        return HTTPClientResponse(status: response.status, headers: response.headers, body: [])
    }

    func database(
        at address: Database.Address, of person: Person, in world: World
    ) -> any CloudDatabase {
        guard depth == .inProcess else {
            return HTTPCloudDatabase(
                address: address, endpoint: world.endpoint, credential: person.credential,
                clock: .system
            ) { request throws(HTTPClientError) in try await send(request) }
        }
        return DirectDatabase(
            address: address, caller: .user(person.account, device: person.device),
            namespace: world.namespace, server: server)
    }

    func stop() async {}
}

/// One database of a mock server in this process, called directly.
private struct DirectDatabase: CloudDatabase {
    let address: Database.Address
    let caller: Caller
    let namespace: String?
    let server: MockServerInProcess

    func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        let outcome = server.perform(command, at: address, by: caller, in: namespace)
        do {
            try await Edge.wait(outcome.delay)
        } catch {
            throw CloudError(.cancelled)
        }
        guard let result = outcome.result else {
            throw CloudError(.responseLost, reason: "the mock server closed the connection")
        }
        return try result.get()
    }
}

extension HTTPClientRequest {
    /// The body as a whole: nothing is sent piece by piece here.
    fileprivate func gatheredBody() throws(HTTPClientError) -> [UInt8] {
        guard let source else { return body }
        var bytes: [UInt8] = []
        while bytes.count < source.byteCount {
            guard let piece = source.give(min(source.byteCount - bytes.count, 1 << 16)) else {
                throw HTTPClientError(
                    .notGiven, "the data to send could not be read completely",
                    mayHaveBeenCarriedOut: false)
            }
            bytes += piece
        }
        return bytes
    }
}

extension HTTPRequest {
    /// The same request as a server gets it.
    fileprivate init(_ request: HTTPClientRequest, _ body: [UInt8]) {
        let rest = request.url.drop { $0 != "/" }.dropFirst(2)
        let host = rest.prefix { $0 != "/" }
        let target = String(rest.dropFirst(host.count))
        var headers: HTTPHeaders = ["host": String(host)]
        for (name, value) in request.headers { headers.append(name.lowercased(), value) }
        self.init(
            method: request.method.rawValue, target: target.isEmpty ? "/" : target,
            headers: headers, body: body)
    }
}
