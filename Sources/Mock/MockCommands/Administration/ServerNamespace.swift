import CommandLine

/// A namespace of a running mock server.
struct ServerNamespace: Sendable {
    let name: String

    /// Where it is, and with which tokens; made when it is not there.
    func find(at server: AdminClient) async throws(CommandFailure) -> ReadyFile {
        let all = try await server.namespaces()
        if let ready = all.first(where: { $0.name == name })?.ready { return ready }
        guard let ready = try await server.ask(.post, "namespaces", [.init("name", name)]).ready
        else {
            throw CommandFailure(
                .internalError,
                "the mock server did not report the address of the namespace \(name)")
        }
        return ready
    }
}
