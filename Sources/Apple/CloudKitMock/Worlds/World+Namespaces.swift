import CloudWire
import JSON

extension World {
    /// Runs a body with a namespace of this server, and takes that away, whatever comes.
    ///
    /// - Parameter fill: Writes what the administration is told beside the name.
    func withNamespace<Value: Sendable>(
        _ name: String, _ fill: (inout JSONWriter) -> Void,
        body: (World) async throws -> Value
    ) async throws -> Value {
        let answer = try await ask(.post, "namespaces") { writer in
            writer.member("name", name)
            fill(&writer)
        }
        guard let url = answer.root["url"]?.string else {
            throw MockCloudError(
                "the mock server did not report the address of the namespace \(name)")
        }
        let result: Result<Value, any Error>
        do {
            let world = try World(backend, namespace: name, url: url, configuration)
            result = .success(try await body(world))
        } catch {
            result = .failure(error)
        }
        do {
            try await Uncancelled.run {
                _ = try await ask(.delete, "namespaces?name=\(WireQuery.encoded(name))")
            }
        } catch {
            // Why the body failed tells more than that there is nothing left to delete after it.
            _ = try result.get()
            throw error
        }
        return try result.get()
    }
}
