import Basics
import CloudClient
import CloudModel
import Foundation
import HTTPClient
import JSON
import ToolRunner

/// `cloudkit-mock serve` as a process of its own.
final class ServerProcess: Sendable {
    private let process: ChildProcess
    let url: String
    let caFile: String
    let apiToken: String
    private let adminToken: String
    private let webTokens: [String: String]
    private let client: HTTPClient

    /// - Parameters:
    ///   - disk: How its disk fails; nil: not at all.
    ///   - filesMax: How many files it may have open; nil: as many as this process may.
    init(
        folder: URL, store: String = "memory", users: [String],
        disk: FailingDisk? = nil, filesMax: Int? = nil
    ) throws {
        let ready = folder.appendingPathComponent("ready.json")
        try? FileManager.default.removeItem(at: ready)
        let output = ChildOutput()
        var words =
            [
                Program.path, "mock", "serve", "--state", folder.path, "--ready-file", ready.path,
                "--store", store, "--any-container",
            ] + users.flatMap { ["--user", $0] }
        if let disk { words = try disk.words(folder) + words }
        if let filesMax {
            words = ["/bin/bash", "-c", "ulimit -n \(filesMax); exec \"$0\" \"$@\""] + words
        }
        process = try ChildProcess(
            words[0], Array(words.dropFirst()),
            streams: [-1, output.stream, -1])
        try output.started()
        // The ready line ends the wait; nothing else is printed.
        guard let line = try output.line(), line.hasPrefix("ready ") else {
            throw KillTestError("the mock server did not start")
        }
        let facts = try JSONDocument.parse(Array(Data(contentsOf: ready))).root
        guard let url = facts["url"]?.string, let ca = facts["ca"]?.string,
            let apiToken = facts["apiToken"]?.string, let tokens = facts["webTokens"],
            let adminToken = facts["adminToken"]?.string,
            let endpoint = CloudEndpoint(url, trust: .file(ca))
        else { throw KillTestError("the ready file lacks something") }
        self.url = url
        caFile = ca
        self.apiToken = apiToken
        self.adminToken = adminToken
        var webTokens: [String: String] = [:]
        for member in tokens.members { webTokens[member.key] = member.value.string }
        self.webTokens = webTokens
        client = endpoint.makeClient()
    }

    /// Sends SIGKILL; harmless when that has happened before.
    func killNow() { process.send(SIGKILL) }

    /// Kills it, if need be, and waits for its end.
    func kill() {
        killNow()
        process.wait()
    }

    func stop() {
        process.send(SIGTERM)
        process.wait()
        client.shutdown()
    }

    /// What `cloudkit-mock exec` would set for a program of this user's.
    func environment(user: String) throws -> [String: String] {
        [
            "CLOUDKIT_EMULATOR_URL": url, "CLOUDKIT_EMULATOR_CA": caFile,
            "CLOUDKIT_EMULATOR_ADMIN_TOKEN": adminToken,
            "CLOUDKIT_EMULATOR_API_TOKEN": apiToken,
            "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN": webTokens[user] ?? "",
        ]
    }

    func database(_ address: Database.Address, user: String) throws -> HTTPCloudDatabase {
        guard let endpoint = CloudEndpoint(url, trust: .file(caFile)) else {
            throw KillTestError("no endpoint")
        }
        return HTTPCloudDatabase(
            address: address, endpoint: endpoint,
            credential: .apiToken(apiToken, web: WebAuthTokenStore(token: webTokens[user])),
            client: client, clock: .fixed(Timestamp(milliseconds: 0)))
    }

    func admin(_ method: HTTPClientRequest.Method, _ path: String, _ body: String = "")
        async throws -> JSONDocument
    {
        try JSONDocument.parse(try await answer(method, path, body))
    }

    /// Sends or fetches the bytes of an asset.
    func transfer(
        _ method: HTTPClientRequest.Method, _ url: String, _ body: [UInt8] = []
    ) async throws -> [UInt8] {
        let response = try await client.send(HTTPClientRequest(method, url, body: body))
        guard response.status == 200 else {
            throw KillTestError(String(decoding: response.body, as: UTF8.self))
        }
        return response.body
    }

    func answer(_ method: HTTPClientRequest.Method, _ path: String, _ body: String = "")
        async throws -> [UInt8]
    {
        let response = try await client.send(
            HTTPClientRequest(
                method, "\(url)/_mock/v1/\(path)",
                headers: [("authorization", "Bearer \(adminToken)")],
                body: Array(body.utf8)))
        guard response.status == 200 else {
            throw KillTestError("\(path): \(String(decoding: response.body, as: UTF8.self))")
        }
        return response.body
    }
}

struct KillTestError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
