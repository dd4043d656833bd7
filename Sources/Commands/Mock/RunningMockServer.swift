import AsyncOperations
import CloudModel
import Configuration
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
    var variables: [String: String] {
        var variables = [
            ServerChoice.urlVariable: ready.url,
            ServerChoice.authorityVariable: ready.caFile,
            ServerChoice.apiTokenVariable: ready.apiToken,
        ]
        let users = ready.webTokens.sorted { $0.key < $1.key }
        for (user, token) in users {
            variables[Self.tokenVariable(user)] = token
        }
        return variables
    }

    /// `CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN_ANN`
    static func tokenVariable(_ user: String) -> String {
        let name = user.uppercased().map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
        }
        return "\(ServerChoice.webTokenVariable)_\(String(name))"
    }
}
