import CloudModel
import MockHost
import MockStore

/// Starts mock servers.
enum Launch {
    /// Starts a server of its own.
    ///
    /// - Throws: ``MockCloudError`` when it cannot be started; nothing is left of it then.
    static func backend(
        _ depth: MockDepth, _ configuration: MockCloudConfiguration, seed: UInt64
    ) throws -> any Backend {
        guard !configuration.containers.isEmpty, !configuration.accounts.isEmpty else {
            throw MockCloudError("a mock cloud needs at least one container and one account")
        }
        var server = MockServerConfiguration(stateFolder: "")
        server.seed = seed
        server.users = configuration.accounts
        server.containers = try configuration.containers.map { name in
            guard let container = Container.ID(name) else {
                let problem = Container.ID.problem(in: name) ?? "is malformed"
                throw MockCloudError("the container identifier \"\(name)\" \(problem)")
            }
            return container
        }
        do throws(MockServerError) {
            switch depth {
            case .inProcess, .wire: return try LocalBackend(depth, server)
            case .socket: return try SocketBackend(server)
            }
        } catch {
            throw MockCloudError("the mock server cannot start: \(error)")
        }
    }
}
