import AsyncOperations
import HTTPServer
import JSON
import MockHost

/// What others do, and what is stored.
extension WorldService {
    /// Other devices write between two commands.
    func write(_ act: DeviceAct) throws {
        try state.withLock { state in try write(act, &state) }
    }

    func write(_ act: DeviceAct, _ state: inout State) throws {
        let before = try contents(&state)
        for write in act.writes {
            // Whether there is an answer is of no account.
            _ = try state.application.answer(Self.request(write, state.application))
        }
        let after = try contents(&state)
        state.ledger.note(before, after, at: now)
    }

    /// Sends what must succeed, for the world's making.
    func make(_ write: DeviceWrite) throws {
        let answer = try state.withLock { state in
            try Self.send(write, state.application)
        }
        let text = String(decoding: answer.body, as: UTF8.self)
        guard answer.status == 200, !text.contains("serverErrorCode") else {
            throw WorldError("\(write.path) \(write.body): \(text)")
        }
    }

    /// The name of a user's record in a container.
    func userRecordName(of user: String, in container: String) throws -> String {
        let path = "\(container)/development/public/users/caller"
        let answer = try state.withLock { state in
            try Self.send(
                DeviceWrite(user: user, path: path, body: ""), state.application)
        }
        return try JSONDocument.parse(answer.body).root["userRecordName"]?.string ?? ""
    }

    @discardableResult
    func admin(_ method: String, _ path: String, _ body: String = "") throws -> JSONDocument {
        try state.withLock { try Self.admin(method, path, body, $0.application) }
    }

    /// A token with which our client asks, as after a sign-in.
    func token(_ user: String) -> String {
        state.withLock { $0.application.issueWebToken(user: user, device: Self.desk) }
    }

    /// All that is stored, once what follows from earlier deletions has happened.
    func contents() throws -> Contents { try state.withLock { try contents(&$0) } }

    func contents(_ state: inout State) throws -> Contents {
        // The default zone's cascades go on with each request, one reference at a time.
        for (place, references) in setup.cascades {
            let ask = DeviceWrite(user: "ada", path: place + "/users/caller", body: "")
            for _ in 0..<min(references, 8) { _ = try Self.send(ask, state.application) }
        }
        var contents = Contents()
        for user in ["ada", "ben", ""] {
            let query = user.isEmpty ? "" : "?user=" + user
            let dump = try Self.body("GET", "dump" + query, "", state.application)
            try contents.add(dump: String(decoding: dump, as: UTF8.self), of: user)
        }
        return contents
    }

    private static func send(
        _ write: DeviceWrite, _ application: NamespaceHost
    ) throws -> HTTPResponse {
        try respond(request(write, application), application)
    }

    private static func request(
        _ write: DeviceWrite, _ application: NamespaceHost
    ) -> HTTPRequest {
        let token = application.issueWebToken(user: write.user, device: phone)
        let target =
            "/database/1/\(write.path)?ckAPIToken=\(application.apiToken)&ckWebAuthToken="
            + token
        let method = write.body.isEmpty ? "GET" : "POST"
        return HTTPRequest(method: method, target: target, body: Array(write.body.utf8))
    }

    static func admin(
        _ method: String, _ path: String, _ body: String, _ application: NamespaceHost
    ) throws -> JSONDocument {
        try JSONDocument.parse(try Self.body(method, path, body, application))
    }

    private static func body(
        _ method: String, _ path: String, _ body: String, _ application: NamespaceHost
    ) throws -> [UInt8] {
        let request = HTTPRequest(
            method: method, target: "/_mock/v1/" + path, body: Array(body.utf8))
        let response = try respond(application.adminToken.authorizing(request), application)
        guard response.status == 200 else {
            throw WorldError("\(path) \(body): " + String(decoding: response.body, as: UTF8.self))
        }
        return response.body
    }

    private static func respond(
        _ request: HTTPRequest, _ application: NamespaceHost
    ) throws -> HTTPResponse {
        guard let response = try application.answer(request) else {
            throw WorldError("no answer to \(request.target)")
        }
        return response
    }
}
