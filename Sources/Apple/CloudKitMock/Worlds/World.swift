import AsyncOperations
import CloudClient
import HTTPClient
import JSON

/// One world of a mock server: the server's own, or a namespace.
struct World: Sendable {
    let backend: any Backend
    /// nil: the server's own.
    let namespace: String?
    let endpoint: CloudEndpoint
    let configuration: MockCloudConfiguration

    /// - Parameter url: Where it is, without a slash at the end.
    init(
        _ backend: any Backend, namespace: String?, url: String,
        _ configuration: MockCloudConfiguration
    ) throws {
        guard let endpoint = CloudEndpoint(url, trust: backend.trust) else {
            throw MockCloudError("cannot use the mock server's address \(url)")
        }
        (self.backend, self.namespace) = (backend, namespace)
        (self.endpoint, self.configuration) = (endpoint, configuration)
    }

    /// An administrative request.
    ///
    /// - Parameter path: Below `/_mock/v1/`, escaped.
    /// - Throws: ``MockCloudError`` in the server's words.
    func administer(
        _ method: HTTPClientRequest.Method, _ path: String, _ body: [UInt8] = []
    ) async throws -> [UInt8] {
        let request = HTTPClientRequest(
            method, endpoint.baseURL + "/_mock/v1/" + path,
            headers: [("authorization", backend.adminToken.headerValue)], body: body)
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await backend.send(request)
        } catch {
            if error.code == .cancelled { throw CancellationError() }
            throw MockCloudError("the mock server did not reply: \(error.message)")
        }
        guard response.status == 200 else {
            let document = try? JSONDocument.parse(response.body)
            throw MockCloudError(
                document?.root["error"]?.string
                    ?? "the mock server replied \(response.status) to \(method.rawValue) \(path)")
        }
        return response.body
    }

    /// The same where question and answer are JSON.
    func ask(
        _ method: HTTPClientRequest.Method, _ path: String,
        _ fill: (inout JSONWriter) -> Void = { _ in }
    ) async throws -> JSONDocument {
        var writer = JSONWriter()
        if method == .post || method == .put { writer.object(fill) }
        let answer = try await administer(method, path, writer.bytes)
        do throws(JSONError) {
            return try JSONDocument.parse(answer)
        } catch {
            throw MockCloudError("the mock server's response to \(path) is not JSON: \(error)")
        }
    }

    /// What an answer lists under a key.
    ///
    /// - Throws: Where it lists nothing there: that is no empty list.
    func list(_ key: String, of path: String) async throws -> [JSONValue] {
        guard let list = try await ask(.get, path).root[key], list.kind == .array else {
            throw MockCloudError("the mock server's response to \(path) has no \(key)")
        }
        return Array(list.elements)
    }

    /// Signs somebody in.
    func signIn(_ account: String, device: String?) async throws -> Person {
        let answer = try await ask(.post, "tokens") { writer in
            writer.member("user", account)
            writer.member("device", device)
        }
        guard let web = answer.root["webToken"]?.string, let api = answer.root["apiToken"]?.string
        else { throw MockCloudError("the mock server returned no token for \(account)") }
        return Person(
            account: account, device: device,
            credential: .apiToken(api, web: WebAuthTokenStore(token: web)))
    }
}

extension Backend {
    fileprivate var trust: HTTPClientConfiguration.Trust {
        certificateFile.map { .file($0) } ?? .system
    }
}
