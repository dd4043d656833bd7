import AsyncOperations
import CloudModel
import MockServer

/// A mock server on a thread of its own, until it is stopped.
final class RunningMockServer: Sendable {
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
            throw CommandFailure(.usage, "the mock server cannot start: \(error)")
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

    /// A client of its administration, for the caller to close.
    func admin() -> MockAdmin { MockAdmin(url: ready.url, authorityFile: ready.caFile) }

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
        let variables = MockVariables(
            url: ready.url, authorityFile: ready.caFile, apiToken: ready.apiToken,
            webTokens: ready.webTokens, user: user)
        return Dictionary(variables.values.map { ($0.name, $0.value) }) { $1 }
    }
}
