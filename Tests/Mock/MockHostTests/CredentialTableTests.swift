import Basics
import HTTPServer
import JSON
import MockSamples
import OpenSSL
import Testing

/// What each credential reaches: every operation in every database, held against a table that was
/// written down from Apple's documents and shares nothing with the server's own.
struct CredentialTableTests {
    /// An operation, as Apple's documents have it.
    private struct Row {
        let operation: String
        /// Whether the API token alone is enough in the public database.
        var isForTheWorld = false
        var takesGET = false
        /// A body that is refused for no other reason than the credential.
        var body = "{}"
        /// Whether nobody says what a server-to-server key is answered with.
        var isKeyUnknown = false
        /// Whether it asks for the caller alone, who may be a server-to-server key.
        var asksWhoCalls = false
    }

    private static let rows = [
        Row(operation: "zones/list", isForTheWorld: true, takesGET: true),
        Row(
            operation: "zones/lookup", isForTheWorld: true,
            body: #"{"zones":[{"zoneID":{"zoneName":"_defaultZone"}}]}"#),
        Row(operation: "zones/modify", body: #"{"operations":[]}"#),
        Row(operation: "zones/changes"),
        Row(operation: "changes/database"),
        Row(
            operation: "changes/zone",
            body: #"{"zones":[{"zoneID":{"zoneName":"_defaultZone"}}]}"#),
        Row(operation: "records/changes", body: #"{"zoneID":{"zoneName":"_defaultZone"}}"#),
        Row(
            operation: "records/query", isForTheWorld: true,
            body: #"{"query":{"recordType":"Note"}}"#),
        Row(
            operation: "records/lookup", isForTheWorld: true,
            body: #"{"records":[{"recordName":"a"}]}"#),
        Row(operation: "records/modify", body: #"{"operations":[]}"#),
        Row(operation: "records/resolve", body: #"{"shortGUIDs":[]}"#, isKeyUnknown: true),
        Row(operation: "records/accept", body: #"{"shortGUIDs":[]}"#, isKeyUnknown: true),
        Row(operation: "internal/records/query/batch", body: #"{"batch":[]}"#),
        Row(operation: "subscriptions/list", takesGET: true),
        Row(operation: "subscriptions/lookup", body: #"{"subscriptions":[]}"#),
        Row(operation: "subscriptions/modify", body: #"{"operations":[]}"#),
        Row(operation: "assets/upload", body: #"{"tokens":[]}"#),
        Row(operation: "assets/rereference", body: #"{"assets":[]}"#),
        Row(
            operation: "tokens/create", body: #"{"apnsEnvironment":"development"}"#,
            isKeyUnknown: true),
        Row(
            operation: "tokens/register",
            body: #"{"apnsEnvironment":"development","apnsToken":"dG9rZW4="}"#,
            isKeyUnknown: true),
        Row(operation: "users/current", takesGET: true, asksWhoCalls: true),
        Row(operation: "users/caller", takesGET: true, asksWhoCalls: true),
        Row(operation: "users/discover", takesGET: true, body: #"{"lookupInfos":[]}"#),
        Row(operation: "users/lookup/email", body: #"{"users":[]}"#),
        Row(operation: "users/lookup/id", body: #"{"users":[]}"#),
        Row(operation: "users/lookup/contacts", takesGET: true),
        Row(operation: "users/restrict", takesGET: true),
        Row(operation: "users/unrestrict", takesGET: true),
    ]

    /// Who asks.
    enum Asker: CaseIterable {
        case nothing, emptyToken, unknownToken, revokedToken
        case tokenOfAnotherContainer, tokenOfAnotherEnvironment, tokenOfOtherPages
        case webTokenAlone, apiToken
        case user, userOfOldToken, userOfChosenToken, restrictedUser
        case unknownWebToken, expiredWebToken, spentWebToken, removedWebToken, signedOutUser
        case key, keyOfAnotherContainer, keyOfAnotherEnvironment, removedKey, unknownKey
        case forgedSignature, oldSignature, signatureOfAnotherBody
    }

    /// The status an asker is turned away with; nil: they are let in.
    private static func refusal(_ asker: Asker, _ row: Row, _ scope: String) -> Int? {
        switch asker {
        case .nothing, .emptyToken, .unknownToken, .revokedToken, .tokenOfAnotherContainer,
            .tokenOfAnotherEnvironment, .tokenOfOtherPages, .webTokenAlone, .unknownWebToken,
            .removedWebToken, .keyOfAnotherContainer, .keyOfAnotherEnvironment, .removedKey,
            .unknownKey, .forgedSignature, .oldSignature, .signatureOfAnotherBody:
            401
        case .apiToken: scope == "public" && row.isForTheWorld ? nil : 421
        case .user, .userOfOldToken, .userOfChosenToken: nil
        case .restrictedUser: row.operation.hasPrefix("users/") ? nil : 403
        case .expiredWebToken, .spentWebToken, .signedOutUser: 421
        case .key:
            scope == "public" && (!row.operation.hasPrefix("users/") || row.asksWhoCalls)
                ? nil : 401
        }
    }

    @Test(arguments: Asker.allCases)
    func `a credential reaches what Apple says, and nothing else`(asker: Asker) throws {
        let stage = try Stage()
        let offered = try stage.operations()
        try #require(offered.contains("records/modify") && offered.contains("users/caller"))
        #expect(offered.subtracting(Self.rows.map(\.operation)) == [])
        for row in Self.rows where offered.contains(row.operation) {
            for scope in ["public", "private", "shared"] {
                for method in row.takesGET ? ["GET", "POST"] : ["POST"] {
                    let answer = try stage.ask(asker, method, row.operation, row.body, scope)
                    let place = "\(asker): \(method) \(scope)/\(row.operation): \(answer.text)"
                    if asker == .key, row.isKeyUnknown { continue }
                    let expected = Self.refusal(asker, row, scope)
                    let refused = [401, 403, 421].contains(answer.status) ? answer.status : nil
                    #expect(refused == expected, "\(place)")
                    #expect(answer.status < 500, "\(place)")
                    let code =
                        [401: "AUTHENTICATION_FAILED", 403: "ACCESS_DENIED"][expected ?? 0]
                        ?? "AUTHENTICATION_REQUIRED"
                    if expected != nil { #expect(answer.code == code, "\(place)") }
                    #expect(
                        (answer.json?["redirectURL"] != nil) == (expected == 421), "\(place)")
                    let next = answer.headers["x-apple-cloudkit-web-auth-token"]
                    if expected != nil { #expect(next == nil, "\(place)") }
                }
            }
        }
    }

    /// A server with every kind of credential.
    private final class Stage {
        private let bench: Bench
        private let strict: Bench
        private var web: [String: String] = [:]
        private var api: [String: String] = [:]
        private let own: P256.PrivateKey
        private let other: P256.PrivateKey
        private var now = ""

        init() throws {
            bench = try Bench()
            strict = try Bench { $0.singleUseTokens = true }
            own = try P256.PrivateKey.generate()
            other = try P256.PrivateKey.generate()
            for user in ["rita", "otto", "eve"] { try admin("POST", "users", ["name": user]) }
            web["expired"] = try token(["user": "eve"], "webToken")
            web["chosen"] = try token(["user": "ann", "webToken": "ab+cd/ef==_1"], "webToken")
            web["removed"] = try token(["user": "ann", "webToken": "removed+1=="], "webToken")
            try bench.admin("DELETE", "tokens?webToken=removed%2B1%3D%3D")
            try bench.admin("POST", "clock/advance", #"{"seconds":1209601}"#)
            web["old"] = try token(["user": "ann"], "webToken")
            web["otto"] = try token(["user": "otto"], "webToken")
            web["rita"] = try token(["user": "rita"], "webToken")
            try admin("POST", "simulate", ["event": "sign-out", "user": "otto"])
            let main = Samples.main.rawValue
            api["own"] = try token(["container": main], "apiToken")
            api["other"] = try token(["container": Samples.other.rawValue], "apiToken")
            api["production"] = try token(
                ["container": main, "environment": "production"], "apiToken")
            api["revoked"] = try token(["container": main], "apiToken")
            try bench.admin("DELETE", "tokens?apiToken=\(api["revoked"] ?? "")")
            let pages = #"{"container":"\#(main)","origins":["https://app.example"]}"#
            api["pages"] = try bench.admin("POST", "tokens", pages).json?["apiToken"]?.string
            let key = try pem(own)
            api["key"] = try admin("POST", "keys", ["publicKey": key], "keyID")
            api["removedKey"] = try admin("POST", "keys", ["publicKey": key], "keyID")
            try bench.admin("DELETE", "keys?keyID=\(api["removedKey"] ?? "")")
            api["otherKey"] = try admin(
                "POST", "keys", ["publicKey": key, "container": Samples.other.rawValue], "keyID")
            api["productionKey"] = try admin(
                "POST", "keys",
                ["publicKey": key, "container": main, "environment": "production"], "keyID")
            now = try #require(bench.admin("GET", "clock").json?["now"]?.string)
            try #require(api.count == 9 && web.count == 6)
        }

        @discardableResult
        private func admin(
            _ method: String, _ path: String, _ members: [String: String], _ key: String = ""
        ) throws -> String? {
            var writer = JSONWriter()
            writer.beginObject()
            for (name, text) in members.sorted(by: { $0.key < $1.key }) {
                writer.member(name, text)
            }
            writer.endObject()
            let answer = try bench.admin(
                method, path, String(decoding: writer.bytes, as: UTF8.self))
            try #require(answer.status == 200, "\(answer.text)")
            return answer.json?[key]?.string
        }

        private func token(_ members: [String: String], _ key: String) throws -> String? {
            try admin("POST", "tokens", members, key)
        }

        private func pem(_ key: P256.PrivateKey) throws -> String {
            String(decoding: key.publicKey.pem, as: UTF8.self)
        }

        func operations() throws -> Set<String> {
            let service = try bench.admin("GET", "").json?["service"]
            return Set(service?.elements.compactMap { $0["operation"]?.string } ?? [])
        }

        /// Asks as somebody; what an earlier request has done to the users is undone before.
        func ask(
            _ asker: Asker, _ method: String, _ operation: String, _ text: String, _ scope: String
        ) throws -> Bench.Answer {
            let container = Samples.main.rawValue
            for (event, user) in [("restrict", "rita"), ("unrestrict", "ann")] {
                try admin(
                    "POST", "simulate", ["event": event, "user": user, "container": container])
            }
            let path = "/database/1/\(container)/development/\(scope)/\(operation)"
            let body = Array((method == "GET" ? "" : text).utf8)
            let bench = asker == .spentWebToken ? strict : bench
            if asker == .spentWebToken {
                web["spent"] = bench.app.issueWebToken(user: "ann")
                api["strict"] = try bench.apiToken
                let query =
                    "?ckAPIToken=\(api["strict"] ?? "")&ckWebAuthToken=\(web["spent"] ?? "")"
                let caller = "/database/1/\(container)/development/private/users/caller"
                let first = try bench.send(HTTPRequest(method: "GET", target: caller + query))
                try #require(first?.status == 200)
            }
            let headers = try headers(asker, path: path, body: body)
            let query = query(asker)
            return try #require(
                try bench.send(
                    HTTPRequest(
                        method: method, target: path + query, headers: headers, body: body)))
        }

        private func query(_ asker: Asker) -> String {
            func tokens(_ api: String?, _ web: String? = nil) -> String {
                let web = web?.replacing("+", with: "%2B").replacing("/", with: "%2F")
                    .replacing("=", with: "%3D")
                return "?ckAPIToken=\(api ?? "")" + (web.map { "&ckWebAuthToken=\($0)" } ?? "")
            }
            let ann = bench.webToken("ann")
            return switch asker {
            case .nothing, .key, .keyOfAnotherContainer, .keyOfAnotherEnvironment, .removedKey,
                .unknownKey, .forgedSignature, .oldSignature, .signatureOfAnotherBody:
                ""
            case .emptyToken: tokens("", ann)
            case .unknownToken: tokens(String(repeating: "0", count: 64), ann)
            case .revokedToken: tokens(api["revoked"], ann)
            case .tokenOfAnotherContainer: tokens(api["other"], ann)
            case .tokenOfAnotherEnvironment: tokens(api["production"], ann)
            case .tokenOfOtherPages: tokens(api["pages"], ann)
            case .webTokenAlone: "?ckWebAuthToken=" + ann
            case .apiToken: tokens(api["own"])
            case .user: tokens(api["own"], ann)
            case .userOfOldToken: tokens(api["own"], web["old"])
            case .userOfChosenToken: tokens(api["own"], web["chosen"])
            case .restrictedUser: tokens(api["own"], web["rita"])
            case .unknownWebToken: tokens(api["own"], String(ann.reversed()))
            case .expiredWebToken: tokens(api["own"], web["expired"])
            case .spentWebToken: tokens(api["strict"], web["spent"])
            case .removedWebToken: tokens(api["own"], web["removed"])
            case .signedOutUser: tokens(api["own"], web["otto"])
            }
        }

        private func headers(
            _ asker: Asker, path: String, body: [UInt8]
        ) throws -> HTTPHeaders {
            let id: String?
            switch asker {
            case .key, .forgedSignature, .oldSignature, .signatureOfAnotherBody: id = api["key"]
            case .keyOfAnotherContainer: id = api["otherKey"]
            case .keyOfAnotherEnvironment: id = api["productionKey"]
            case .removedKey: id = api["removedKey"]
            case .unknownKey: id = String(repeating: "cd", count: 32)
            case .tokenOfOtherPages: return ["origin": "https://evil.example"]
            default: return [:]
            }
            let date = asker == .oldSignature ? "2025-01-01T00:00:00Z" : now
            let signed = asker == .signatureOfAnotherBody ? body + [0x20] : body
            let hash = Base64.encode(SHA256.hash(signed))
            let signer = asker == .forgedSignature ? other : own
            let signature = try signer.sign(Array("\(date):\(hash):\(path)".utf8))
            return [
                "x-apple-cloudkit-request-keyid": id ?? "",
                "x-apple-cloudkit-request-iso8601date": date,
                "x-apple-cloudkit-request-signaturev1": Base64.encode(signature),
            ]
        }
    }
}
