import Basics
import Foundation
import HTTPClient
import MockHost
import MockRecording
import ToolRunner

/// Servers on threads of their own, in one folder, and curl to ask them.
final class Stage: Sendable {
    let folder: URL
    static let container = "iCloud.com.example.recorded"
    static let clock = WallClock {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }
    static let photo = [UInt8]((0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) })

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("stage-\(ProcessInfo.processInfo.globallyUniqueString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private static let fixture = """
        {"version": 1, "shows": "a person with a note", "users": [
        {"name": "ann", "givenName": "Annabel", "familyName": "Leeward",
        "emailAddresses": ["annabel@leeward.example"], "phoneNumbers": ["+441632960001"]},
        {"name": "bob", "givenName": "Robert", "familyName": "Okafor"}],
        "databases": [{"container": "\(container)", "scope": "private", "user": "ann", "zones": [
        {"name": "Notes", "records": [{"recordName": "note-1", "recordType": "Note", "fields": {
        "title": {"value": "From Annabel Leeward", "type": "STRING"},
        "photo": {"value": {"base64": "\(Data(photo).base64EncodedString())"}, "type": "ASSETID"}
        }}]}]}]}
        """

    /// Runs `body` beside a mock server.
    func withService<Result>(
        _ change: (inout MockServerConfiguration) -> Void = { _ in },
        _ body: (MockReady) async throws -> Result
    ) async throws -> Result {
        let file = path("fixture.json")
        try Self.fixture.write(toFile: file, atomically: true, encoding: .utf8)
        var configuration = MockServerConfiguration(stateFolder: path("service"))
        configuration.fixtures = [file]
        change(&configuration)
        let server = try MockServer(configuration, clock: Self.clock)
        let ready = try server.start()
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        Thread.detachNewThread {
            try? server.run()
            end.finish()
        }
        let result: Result
        do {
            result = try await body(ready)
        } catch {
            server.stop(drain: .zero)
            throw error
        }
        server.stop(drain: .zero)
        for await _ in ended {}
        return result
    }

    func server(port: UInt16 = 0) throws -> RecordingServer {
        try RecordingServer(stateFolder: path("own"), port: port, clock: Self.clock)
    }

    /// Records what `body` does at a server in place of a service.
    func record(
        _ service: MockReady, to name: String,
        _ change: (inout RecordingProxy.Configuration) -> Void = { _ in },
        _ body: (RecordingServer, RecordingProxy) async throws -> Void
    ) async throws -> RecordingProxy.Summary {
        var configuration = RecordingProxy.Configuration(
            upstream: service.url, trust: .file(service.caFile), file: path(name))
        configuration.credentials = [
            "API": service.apiToken, "ANN": service.webTokens["ann"] ?? "",
            "BOB": service.webTokens["bob"] ?? "",
        ]
        change(&configuration)
        let server = try server()
        let proxy = try RecordingProxy(
            configuration, on: server, .init(workingFolder: folder.path))
        async let summary = proxy.run()
        do {
            try await body(server, proxy)
        } catch {
            server.stop(drain: .zero)
            _ = try? await summary
            throw error
        }
        server.stop(drain: .zero)
        return try await summary
    }

    /// Replays a recording at the port that it was made at, while `body` runs.
    func replay(
        _ name: String, port: UInt16 = 0, report: @escaping @Sendable (String) -> Void = { _ in },
        _ body: (RecordingServer, RecordingFile) async throws -> Void
    ) async throws -> ReplayServer.Summary {
        let file = try RecordingFile(path(name), .init(workingFolder: folder.path))
        let server = try server(port: port)
        let replay = ReplayServer(file, on: server, report: report)
        async let summary = replay.run()
        do {
            try await body(server, file)
        } catch {
            server.stop(drain: .zero)
            _ = await summary
            throw error
        }
        server.stop(drain: .zero)
        return await summary
    }

    /// Asks as a program does that finds its server and tokens in variables.
    struct Client {
        let server: RecordingServer
        let variables: [String: String]
        /// Such as `--http2`.
        var version = "--http1.1"
        var user = "ANN"

        func url(_ operation: String, scope: String = "private") -> String {
            "\(server.url)/database/1/\(Stage.container)/development/\(scope)/\(operation)"
                + "?ckAPIToken=\(variables["API"] ?? "")&ckWebAuthToken=\(variables[user] ?? "")"
        }

        /// What curl gets: status, body and the headers that tell of the answer.
        ///
        /// It waits on a thread of its own: the servers here need those of the shared pool.
        func curl(
            _ url: String, _ body: String? = nil, _ more: [String] = []
        ) async throws -> [UInt8] {
            var words = [
                "-sS", "--max-time", "60", version, "--cacert", server.authorityFile, "-w",
                "\n%{http_code} %{content_type} %header{x-apple-cloudkit-web-auth-token}"
                    + " %header{x-apple-request-uuid}", url,
            ]
            if let body { words += ["--data-binary", body] }
            let arguments = words + more
            return try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result {
                            try Tool.run("/usr/bin/curl", arguments, errors: .joined).output
                        })
                }
            }
        }

        func ask(_ operation: String, _ body: String? = nil) async throws -> String {
            String(decoding: try await curl(url(operation), body), as: UTF8.self)
        }
    }
}
