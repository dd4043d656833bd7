import AsyncOperations
import Foundation
import HTTPClient
import HTTPServer
import OpenSSL
import Testing

/// Echoes bodies; some paths do something else.
private final class Echo: HTTPApplication {
    private let versions: Locked<Set<HTTPRequest.Version>>
    init(versions: Locked<Set<HTTPRequest.Version>>) { self.versions = versions }

    func handle(
        _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPAnswer {
        _ = versions.withLock { $0.insert(request.version) }
        let response = HTTPResponse(
            status: 200, headers: ["x-method": request.method], body: request.body)
        switch request.path {
        case "/cut": return .cut
        case "/later":
            loop.schedule(after: .milliseconds(50)) { _ = $0.respond(to: exchange, response) }
            return .later
        case "/never": return .later
        default: return .respond(response)
        }
    }
}

/// The package's own server, running, and a client that trusts it.
private struct Running {
    let server: HTTPServer
    let thread: DedicatedThread
    let client: HTTPClient
    let versions = Locked(Set<HTTPRequest.Version>())
    var base: String { "https://localhost:\(server.port)" }

    init(configure: (inout HTTPClientConfiguration) -> Void = { _ in }) throws {
        let now = Int64(Date().timeIntervalSince1970)
        let authority = try CertificateAuthority.make(now: now)
        let context = try TLSContext(server: authority.issue(now: now))
        let server = try HTTPServer(HTTPServerConfiguration(tls: context, unixSeconds: { now }))
        self.server = server
        thread = DedicatedThread(label: "echo") { [versions] in
            server.run(Echo(versions: versions))
        }
        var configuration = HTTPClientConfiguration(trust: .pem(authority.certificatePEM))
        configuration.http = HTTPVersionPolicy(.http2, connectionsPerHost: 4)
        configure(&configuration)
        client = HTTPClient(configuration: configuration)
    }

    func end() {
        client.shutdown()
        server.stop(drain: .zero)
        thread.join()
    }

    /// Sends `count` requests at once; how each ended.
    func sendAll(
        _ count: Int, path: @escaping @Sendable (Int) -> String
    ) async -> [Result<HTTPClientResponse, HTTPClientError>] {
        let (client, base) = (client, base)
        return await withTaskGroup(of: Result<HTTPClientResponse, HTTPClientError>.self) { group in
            for number in 0..<count {
                group.addTask {
                    let body = Array("body \(number)".utf8)
                    do throws(HTTPClientError) {
                        let response = try await client.send(
                            HTTPClientRequest(.post, base + path(number), body: body))
                        #expect(response.body == body)
                        return .success(response)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var results: [Result<HTTPClientResponse, HTTPClientError>] = []
            for await result in group { results.append(result) }
            return results
        }
    }
}

@Suite struct HTTP2Tests {
    @Test(arguments: [HTTPVersionPolicy.Version.http2, .http1])
    func `HTTP 2 is spoken when offered, and HTTP 1 otherwise`(
        version: HTTPVersionPolicy.Version
    ) async throws {
        let running = try Running { $0.http = HTTPVersionPolicy(version, connectionsPerHost: 4) }
        defer { running.end() }
        let methods: [HTTPClientRequest.Method] = [.get, .post, .put, .delete, .options]
        for method in methods {
            let response = try await running.client.send(
                HTTPClientRequest(method, running.base + "/"))
            #expect(response[header: "x-method"] == method.rawValue)
        }
        #expect(running.versions.withLock { $0 } == [version == .http2 ? .http2 : .http11])
    }

    @Test func `bodies of megabytes pass both ways`() async throws {
        let running = try Running()
        defer { running.end() }
        let body = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let response = try await running.client.send(
            HTTPClientRequest(.post, running.base + "/", body: body))
        #expect(response.body == body)
    }

    @Test func `hundreds of slow answers are waited for together`() async throws {
        let running = try Running()
        defer { running.end() }
        let results = await running.sendAll(400) { _ in "/later" }
        #expect(results.allSatisfy { (try? $0.get())?.status == 200 })
    }

    @Test func `when a connection is cut nobody is told that nothing happened`() async throws {
        let running = try Running { $0.http = HTTPVersionPolicy(.http2, connectionsPerHost: 1) }
        defer { running.end() }
        let warm = await running.sendAll(1) { _ in "/" }
        #expect(warm.count == 1)
        let results = await running.sendAll(50) { $0 == 25 ? "/cut" : "/later" }
        let failures = results.compactMap { result -> HTTPClientError? in
            if case .failure(let error) = result { error } else { nil }
        }
        #expect(!failures.isEmpty)
        #expect(failures.allSatisfy { [.connectionLost, .couldNotConnect].contains($0.code) })
        #expect(failures.contains { $0.code == .connectionLost && $0.mayHaveBeenCarriedOut })
        #expect(
            failures.allSatisfy { ($0.code == .connectionLost) == $0.mayHaveBeenCarriedOut })
        let after = await running.sendAll(5) { _ in "/" }
        #expect(after.allSatisfy { (try? $0.get())?.status == 200 })
    }

    @Test func `cancelling one stream leaves the others alone`() async throws {
        let running = try Running { $0.http = HTTPVersionPolicy(.http2, connectionsPerHost: 1) }
        defer { running.end() }
        let (client, base) = (running.client, running.base)
        let stuck = Task { try await client.send(HTTPClientRequest(.get, base + "/never")) }
        async let others = running.sendAll(20) { _ in "/later" }
        while running.versions.withLock({ $0.isEmpty }) { await Task.yield() }
        stuck.cancel()
        let error = await #expect(throws: HTTPClientError.self) { try await stuck.value }
        #expect(error?.code == .cancelled)
        #expect(await others.allSatisfy { (try? $0.get())?.status == 200 })
    }

    @Test func `a server that stops answers what it has, and then there is nobody`() async throws {
        let running = try Running()
        async let results = running.sendAll(20) { _ in "/later" }
        while running.versions.withLock({ $0.isEmpty }) { await Task.yield() }
        running.server.stop(drain: .seconds(10))
        let ended = await results
        running.thread.join()
        #expect(ended.contains { (try? $0.get()) != nil })
        let late = await running.sendAll(1) { _ in "/" }
        #expect(throws: HTTPClientError.self) { try late[0].get() }
        running.client.shutdown()
    }
}
