import AsyncOperations
package import Basics
private import Glibc
package import HTTPServer
private import MockHost
private import OpenSSL

/// A TLS server on this machine, with the certificate authority that mock servers of the same state folder
/// have.
package final class RecordingServer: Sendable {
    /// Such as `https://localhost:8443`, without a slash at the end.
    package let url: String
    package let port: UInt16
    /// The PEM file a client must trust.
    package let authorityFile: String
    private let server: HTTPServer

    private static let names = ["localhost", "127.0.0.1", "::1"]

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - stateFolder: Of mock servers.
    ///   - port: 0 takes a free one.
    package init(
        stateFolder: String, port: UInt16, clock: WallClock
    ) throws(RecordingError) {
        let folder = CertificateFolder(stateFolder: stateFolder)
        let now = clock.now.milliseconds / 1000
        let tls: TLSContext
        do {
            let authority = try folder.authority(names: Self.names, now: now)
            let identity = try authority.issue(
                for: Self.names, now: now, key: try folder.serverKey())
            tls = try TLSContext(server: identity)
        } catch {
            throw RecordingError(.certificate, "\(error)")
        }
        var configuration = HTTPServerConfiguration(
            tls: tls, unixSeconds: { clock.now.milliseconds / 1000 })
        configuration.port = port
        configuration.limits.bodyBytesMax = RecordingLimits.requestBytesMax
        configuration.limits.connectionBodyBytesMax = RecordingLimits.assetBytesMax * 2
        do throws(HTTPServerError) {
            server = try HTTPServer(configuration)
        } catch {
            throw RecordingError(.address, error.reason)
        }
        self.port = server.port
        url = "https://localhost:\(server.port)"
        authorityFile = folder.certificateFile
    }

    /// What is printed when it listens.
    package var readyLine: String { "ready \(url) pid \(getpid()) ca \(authorityFile)" }

    /// Serves on a thread of its own; returns once the server has been stopped.
    package func serve(_ make: @escaping @Sendable () -> any HTTPApplication) async {
        let server = server
        await withCheckedContinuation { continuation in
            _ = DedicatedThread(label: "recording") {
                server.run(make())
                continuation.resume()
            }
        }
    }

    /// Lets requests in flight finish for at most `drain`, then closes. Any thread.
    package func stop(drain: Duration = .seconds(1)) { server.stop(drain: drain) }

    /// Runs `body` on the server's thread, soon.
    func post(_ body: @escaping @Sendable (HTTPLoop) -> Void) { server.post(body) }
}
