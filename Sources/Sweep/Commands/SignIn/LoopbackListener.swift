import AsyncOperations
import Basics
import HTTPServer
import OpenSSL

/// Waits on 127.0.0.1 for the browser to bring a token. Other machines cannot reach it.
final class LoopbackListener: Sendable {
    private let server: HTTPServer
    private let thread = Locked<DedicatedThread?>(nil)

    /// Pages and tokens are small.
    private static let bytesMax = 32 << 10
    private static let connectionsMax = 16
    private static let drain: Duration = .seconds(1)

    /// Opens the socket.
    ///
    /// - Parameter port: 0: any free one.
    init(port: UInt16, unixSeconds: @escaping @Sendable () -> Int64) throws(HTTPServerError) {
        var configuration = HTTPServerConfiguration(tls: nil, unixSeconds: unixSeconds)
        configuration.addresses = ["127.0.0.1"]
        configuration.port = port
        configuration.limits.targetBytesMax = Self.bytesMax
        configuration.limits.headerBytesMax = Self.bytesMax
        configuration.limits.bodyBytesMax = Self.bytesMax
        configuration.limits.connectionsMax = Self.connectionsMax
        configuration.limits.memoryBytesMax = 4 << 20
        server = try HTTPServer(configuration)
    }

    /// Where the browser finds it.
    var origin: String { "http://127.0.0.1:\(server.port)" }

    /// Answers the browser until ``stop()``. Call it once.
    ///
    /// - Returns: The address to open, and what will bring the token.
    func talk(
        for subject: String, signInURL: String
    ) -> (address: String, tokens: AsyncStream<String>) {
        let (tokens, continuation) = AsyncStream.makeStream(
            of: String.self, bufferingPolicy: .bufferingOldest(1))
        let dialog = LoopbackDialog(
            origin: origin, signInURL: signInURL, for: subject, ticket: Self.secret(),
            state: Self.secret())
        let address = dialog.address
        thread.withLock {
            $0 = DedicatedThread(label: "sign-in") { [server] in
                server.run(Application(dialog, continuation))
                continuation.finish()
            }
        }
        return (address, tokens)
    }

    /// Stops listening at once; an answer under way is finished.
    func stop() { server.stop(drain: Self.drain) }

    private static func secret() -> String { Hexadecimal.encode(SecureRandom.bytes(16)) }

    private final class Application: HTTPApplication {
        private var dialog: LoopbackDialog
        private let tokens: AsyncStream<String>.Continuation

        init(_ dialog: LoopbackDialog, _ tokens: AsyncStream<String>.Continuation) {
            self.dialog = dialog
            self.tokens = tokens
        }

        func handle(
            _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
        ) -> HTTPAnswer {
            let answer = dialog.answer(request)
            if let token = answer.token { tokens.yield(token) }
            if dialog.isGivenUp { tokens.finish() }
            return .respond(answer.response)
        }
    }
}
