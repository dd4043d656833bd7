import AsyncOperations
import Basics
import CommandLine
import Host
import MockHost

/// A mock server on a thread of its own, until it is stopped.
final class RunningServer: Sendable {
    let ready: MockReady
    private let server: MockServer
    private let thread: DedicatedThread
    private let failure: Locked<MockServerError?>

    /// Starts the server; returns once its socket listens.
    init(
        _ configuration: MockServerConfiguration, clock: WallClock
    ) throws(CommandFailure) {
        do throws(MockServerError) {
            let server = try MockServer(configuration, clock: clock)
            self.server = server
            ready = try server.start()
        } catch {
            throw Self.refusal(error, port: configuration.port)
        }
        let failure = Locked<MockServerError?>(nil)
        self.failure = failure
        let server = server
        thread = DedicatedThread(label: "mock server") {
            do throws(MockServerError) {
                try server.run()
            } catch {
                failure.withLock { $0 = error }
            }
        }
    }

    /// Why no server could be started, and who has the port where that is why.
    private static func refusal(_ error: MockServerError, port: UInt16) -> CommandFailure {
        let message = "the mock server cannot start: \(error)"
        guard error.code == .portInUse, port != 0, let holder = PortHolder.find(port: port) else {
            return CommandFailure(.usage, message)
        }
        return CommandFailure(
            .usage, "\(message) by \(holder.program), process \(holder.pid)",
            remedy: "stop that process, choose another --port, or omit --port for a free one")
    }

    /// A client of its administration, for the caller to close.
    func admin() -> AdminClient {
        AdminClient(
            url: ready.url, authorityFile: ready.caFile, adminToken: ready.adminToken.text)
    }

    /// Asks the server to end; any thread.
    func stop() { server.stop() }

    /// Waits until it has ended.
    func wait() async throws(CommandFailure) {
        let thread = thread
        await withCheckedContinuation { continuation in
            _ = DedicatedThread(label: "mock end") {
                thread.join()
                continuation.resume()
            }
        }
        if let error = failure.withLock({ $0 }) {
            throw CommandFailure(.internalError, "the mock server failed: \(error)")
        }
    }

    /// The variables that lead a program to this server.
    ///
    /// - Parameter user: Whose web token is used when no user is named.
    func variables(as user: String) -> [String: String] {
        let variables = ServerVariables(
            url: ready.url, authorityFile: ready.caFile, adminToken: ready.adminToken.text,
            apiToken: ready.apiToken, webTokens: ready.webTokens, user: user)
        return Dictionary(variables.values.map { ($0.name, $0.value) }) { $1 }
    }
}
