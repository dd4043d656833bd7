import CommandLine
import JSON

/// A namespace of a running mock server.
struct ServerNamespace: Sendable {
    let name: String

    /// Where it is, and with which tokens; made when it is not there.
    func find(at server: AdminClient) async throws(CommandFailure) -> ReadyFile {
        let all = try await server.ask(.get, "namespaces")["namespaces"]
        let found = all?.elements.first { $0["name"]?.string == name }
        if let ready = found.flatMap({ ReadyFile($0) }) { return ready }
        let made = try await server.ask(.post, "namespaces", [.init("name", name)])
        guard let ready = ReadyFile(made) else {
            throw CommandFailure(
                .internalError,
                "the mock server did not report the address of the namespace \(name)")
        }
        return ready
    }
}
