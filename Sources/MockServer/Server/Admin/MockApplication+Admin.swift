import CloudModel
import CloudWire
import HTTPServer
import JSON

/// A request below `/_mock/v1/`, its body read.
struct AdminRequest {
    let method: String
    /// The path below `/_mock/v1/`.
    let path: String
    let query: WireQuery
    let body: JSONValue
    let raw: [UInt8]
}

extension MockApplication {
    private typealias Handler = (MockApplication, AdminRequest) throws(AdminError) -> Outcome

    private static var routes: [String: [String: Handler]] {
        [
            "health": ["GET": { (app, _) throws(AdminError) in app.health() }],
            "ca.pem": ["GET": { (app, _) throws(AdminError) in app.authority() }],
            "users": [
                "GET": { (app, _) throws(AdminError) in try app.listUsers() },
                "POST": { (app, ask) throws(AdminError) in try app.addUser(ask) },
            ],
            "tokens": [
                "GET": { (app, _) throws(AdminError) in app.listTokens() },
                "POST": { (app, ask) throws(AdminError) in try app.addToken(ask) },
            ],
            "keys": [
                "GET": { (app, _) throws(AdminError) in app.listKeys() },
                "POST": { (app, ask) throws(AdminError) in try app.addKey(ask) },
                "DELETE": { (app, ask) throws(AdminError) in try app.removeKey(ask) },
            ],
            "seed": ["POST": { (app, ask) throws(AdminError) in try app.seed(ask) }],
            "schema": ["PUT": { (app, ask) throws(AdminError) in try app.putSchema(ask) }],
            "reset": ["POST": { (app, ask) throws(AdminError) in try app.reset(ask) }],
            "purge": ["POST": { (app, ask) throws(AdminError) in try app.purge(ask) }],
            "act": ["POST": { (app, ask) throws(AdminError) in try app.act(ask) }],
            "compact": ["POST": { (app, _) throws(AdminError) in try app.compact() }],
            "faults": [
                "GET": { (app, _) throws(AdminError) in app.listFaults() },
                "PUT": { (app, ask) throws(AdminError) in try app.putFaults(ask, replacing: true) },
                "POST": { (app, ask) throws(AdminError) in try app.putFaults(ask, replacing: false)
                },
                "DELETE": { (app, ask) throws(AdminError) in try app.removeFaults(ask) },
            ],
            "journal": [
                "GET": { (app, ask) throws(AdminError) in try app.listJournal(ask) },
                "DELETE": { (app, _) throws(AdminError) in app.clearJournal() },
            ],
            "summary": ["GET": { (app, ask) throws(AdminError) in try app.summary(ask) }],
            "dump": ["GET": { (app, ask) throws(AdminError) in try app.dump(ask) }],
            "options": [
                "GET": { (app, _) throws(AdminError) in app.listOptions() },
                "PUT": { (app, ask) throws(AdminError) in try app.putOptions(ask) },
            ],
            "clock": [
                "GET": { (app, _) throws(AdminError) in app.showClock() },
                "PUT": { (app, ask) throws(AdminError) in try app.putClock(ask) },
            ],
            "clock/advance": [
                "POST": { (app, ask) throws(AdminError) in try app.advanceClock(ask) }
            ],
        ]
    }

    /// Answers what is under our own prefix.
    func respondToAdmin(_ request: HTTPRequest, _ path: String) -> Outcome {
        do throws(AdminError) {
            if path == "/_mock/signin" { return try signIn(request) }
            try refuseBrowsers(request)
            guard path.hasPrefix("/_mock/v1/") else {
                throw AdminError(status: 404, "no such path; see /_mock/v1/health")
            }
            let name = String(path.dropFirst("/_mock/v1/".count))
            let routes = Self.routes
            guard let handlers = routes[name] else {
                let nearest = NearestName.closest(to: name, among: routes.keys.sorted()) ?? ""
                throw AdminError(status: 404, "no such path; nearest: /_mock/v1/\(nearest)")
            }
            guard let handler = handlers[request.method] else {
                let allowed = handlers.keys.sorted().joined(separator: ", ")
                throw AdminError(status: 405, "use \(allowed)", allow: allowed)
            }
            let body = name == "schema" ? Array("{}".utf8) : request.body
            let ask = AdminRequest(
                method: request.method, path: name, query: WireQuery(request.query ?? ""),
                body: try Self.parse(body), raw: request.body)
            return try handler(self, ask)
        } catch {
            return .respond(adminResponse(error), after: .zero)
        }
    }

    /// Pages of other sites have no business here: every browser says where it comes from.
    private func refuseBrowsers(_ request: HTTPRequest) throws(AdminError) {
        if let origin = request["origin"], !(WebOrigin(origin).map(isOwn) ?? false) {
            throw AdminError(status: 403, "requests from web pages are refused")
        }
        if let site = request["sec-fetch-site"], site != "same-origin", site != "none" {
            throw AdminError(status: 403, "requests from web pages are refused")
        }
    }

    private static func parse(_ body: [UInt8]) throws(AdminError) -> JSONValue {
        do throws(JSONError) {
            let text = body.isEmpty ? Array("{}".utf8) : body
            let document = try JSONDocument.parse(
                text, limits: JSONLimits(bytesMax: Fixture.bytesMax))
            if let member = document.repeatedKey {
                throw JSONError("a key is repeated", at: member.keyLocation)
            }
            return document.root
        } catch {
            throw AdminError("the body is not JSON: \(error)")
        }
    }

    /// An administrative answer.
    func adminResponse(status: Int = 200, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [
                "content-type": "application/json; charset=UTF-8", "cache-control": "no-store",
            ],
            body: body)
    }

    /// A refusal.
    func adminResponse(_ error: AdminError) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("error", error.reason)
        writer.endObject()
        var response = adminResponse(status: error.status, writer.bytes)
        if let allow = error.allow { response.headers.append("allow", allow) }
        return response
    }

    /// An answer whose one object `fill` writes the members of.
    func adminAnswer(_ fill: (inout JSONWriter) -> Void) -> Outcome {
        var writer = JSONWriter()
        writer.beginObject()
        fill(&writer)
        writer.endObject()
        return .respond(adminResponse(writer.bytes), after: .zero)
    }

    /// Runs something on the store.
    func storing<Result>(
        _ body: () throws(MockStoreError) -> Result
    ) throws(AdminError) -> Result {
        do throws(MockStoreError) {
            return try body()
        } catch {
            throw AdminError(status: 500, error.description)
        }
    }

    private func health() -> Outcome {
        let answer = adminAnswer { writer in
            let failures = commitFailures
            writer.member("status", failures.latest == nil ? "ok" : "failing")
            if let reason = failures.latest { writer.member("takesNoWrites", reason.description) }
            writer.member("url", baseURL)
            switch configuration.storage {
            case .memory: writer.member("store", "memory")
            case .directory: writer.member("store", "directory")
            }
            writer.member("seed", "\(seed)")
            writer.member("users", store.users.count)
            writer.member("requests", journal.total)
            writer.member("faults", faults.entries.count)
            writer.member("commitFailures", failures.count)
            writer.member("generation", generation)
            writer.member("startedAt", started.iso8601)
        }
        guard case .respond(var response, let delay) = answer else { return answer }
        // What it says is true also when this turn is not stored.
        response.standsAlone = true
        return .respond(response, after: delay)
    }

    private func authority() -> Outcome {
        .respond(
            HTTPResponse(
                status: 200, headers: ["content-type": "application/x-pem-file"], body: caPEM),
            after: .zero)
    }
}
