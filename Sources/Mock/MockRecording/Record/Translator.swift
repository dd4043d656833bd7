import CloudModel
private import CloudWire
package import HTTPClient
package import HTTPServer

/// Stands between a client and the service: the client sees stand-ins for secrets and names, the service
/// sees what they stand for, and what is recorded is what the client sees.
package struct Translator: Sendable {
    private let upstream: String
    private let own: String
    private let policy: WritePolicy
    private let rules: SecretRules
    private var pseudonyms: Pseudonyms
    private var addresses = AddressBook()
    private var callers = CallerLabels()

    /// - Parameters:
    ///   - key: 32 random bytes that are kept nowhere else.
    ///   - upstream: The service's address, without a slash at its end.
    ///   - own: The proxy's address, the same way.
    package init(
        key: [UInt8], upstream: String, own: String, policy: WritePolicy, rules: SecretRules
    ) {
        self.upstream = upstream
        self.own = own
        self.policy = policy
        self.rules = rules
        pseudonyms = Pseudonyms(key: key)
    }

    /// What stands for a credential that the program is to be given.
    package mutating func standIn(forCredential text: String) throws(RecordingError) -> String {
        try pseudonyms.standIn(for: text, .token)
    }

    // MARK: Requests

    /// Decides what becomes of a request.
    package mutating func translate(_ request: HTTPRequest) throws(RecordingError) -> Translation {
        let isSigned = request[Credentials.signatureHeader] != nil
        let headers = headers(of: request)
        let found = addresses.find(path: request.path)
        let query = isSigned ? request.query ?? "" : meantQuery(request.query ?? "")
        let body =
            isSigned || found != nil ? request.body : meantBody(request.body)
        var credentials = Credentials(query: query)
        credentials.keyID = headers.first { $0.name == Credentials.keyIDHeader }?.value
        credentials.hasCookies = headers.contains { $0.name == "cookie" }
        for secret in [credentials.apiToken, credentials.keyID] {
            if let secret { _ = try pseudonyms.standIn(for: secret, .token) }
        }
        let target = try recordedTarget(path: request.path, query: query)
        let (recordedBody, ownTexts) =
            found != nil ? (body, []) : try recordedBody(request.body)
        let recorded = RecordedRequest(
            method: request.method, target: target, caller: callers.label(credentials),
            range: request["range"], body: recordedBody, ownTexts: ownTexts)
        if let found, found.address.use == .signIn { return .redirect(found.url) }
        let route: WireRoute?
        switch checked(request, found?.address) {
        case .success(let found): route = found
        case .failure(let error): return .refuse(error, recorded)
        }
        guard let method = HTTPClientRequest.Method(rawValue: request.method) else {
            return .refuse(
                CloudError(.badRequest, reason: "no such method", httpStatus: 405), recorded)
        }
        let url = found?.url ?? upstream + request.path + (query.isEmpty ? "" : "?\(query)")
        return .forward(
            Translation.Forwarded(
                request: HTTPClientRequest(method, url, headers: headers, body: body),
                recorded: recorded, isSigned: isSigned, route: route,
                isDownload: found?.address.use == .download))
    }

    /// The route of a request that may go through; nil where it goes to an address that was given out, or
    /// only asks what is allowed.
    private func checked(
        _ request: HTTPRequest, _ address: AddressBook.Address?
    ) -> Result<WireRoute?, CloudError> {
        if let address {
            return policy.refusal(of: address, method: request.method).map { .failure($0) }
                ?? .success(nil)
        }
        if request.method == "OPTIONS" { return .success(nil) }
        do throws(WireRouteError) {
            // Anything else could be a write.
            let route = try WireRoute.parse(
                method: request.method, path: request.path, query: request.query ?? "")
            return policy.refusal(of: route).map { .failure($0) } ?? .success(route)
        } catch {
            return .failure(error.cloudError)
        }
    }

    private func headers(of request: HTTPRequest) -> [(name: String, value: String)] {
        request.headers.pairs.filter { HeaderRules.isSent($0.name) }.map { name, value in
            (name, pseudonyms.revealing(in: value) ?? value)
        }
    }

    private func meantQuery(_ query: String) -> String {
        Self.changed(query) { _, value in pseudonyms.revealing(in: value) }
    }

    private func meantBody(_ body: [UInt8]) -> [UInt8] {
        JSONStrings.rewrite(body) { _, text in
            if text.hasPrefix(own), let found = addresses.find(path: path(of: text)) {
                return found.address.url
            }
            return pseudonyms.revealing(in: text)
        } ?? body
    }

    private func path(of url: String) -> String {
        String(url.dropFirst(own.count).prefix { $0 != "?" })
    }

    private mutating func recordedTarget(
        path: String, query: String
    ) throws(RecordingError) -> String {
        let recorded = try Self.changed(query) { name, value throws(RecordingError) in
            guard SecretRules.isSecret(parameter: name), !value.isEmpty else {
                return pseudonyms.hiding(in: value)
            }
            // Some clients send a token's plus signs as they are, which read as spaces.
            return try pseudonyms.standIn(for: value.replacing(" ", with: "+"), .token)
        }
        return path + (query.isEmpty ? "" : "?\(recorded)")
    }

    /// A query with some of its values changed; the others stay as they are spelled.
    private static func changed<Failure: Error>(
        _ query: String, _ change: (_ name: String, _ value: String) throws(Failure) -> String?
    ) throws(Failure) -> String {
        var parts: [String] = []
        for part in query.split(separator: "&", omittingEmptySubsequences: false) {
            if let item = WireQuery(String(part)).items.first,
                let value = try change(item.name, item.value)
            {
                parts.append("\(part.prefix { $0 != "=" })=\(WireQuery.encoded(value))")
            } else {
                parts.append(String(part))
            }
        }
        return parts.joined(separator: "&")
    }

    /// A client's body as it is recorded, and which strings of it are not as the client said them.
    private mutating func recordedBody(
        _ body: [UInt8]
    ) throws(RecordingError) -> (body: [UInt8], ownTexts: [String]) {
        var ownTexts: Set<String> = []
        let recorded = try JSONStrings.rewrite(body) { keys, text throws(RecordingError) in
            if text.hasPrefix(own) { return AddressBook.origin + text.dropFirst(own.count) }
            let meant = pseudonyms.revealing(in: text) ?? text
            let hidden = try hidden(meant, at: keys, route: nil) ?? meant
            guard hidden != text else { return nil }
            ownTexts.insert(hidden)
            return hidden
        }
        if let recorded { return (recorded, ownTexts.sorted()) }
        return (text(body).map { Array((pseudonyms.hiding(in: $0) ?? $0).utf8) } ?? body, [])
    }

    private func text(_ bytes: [UInt8]) -> String? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            return nil
        }
    }

    /// What stands for a string of a body; nil where it stays.
    private mutating func hidden(
        _ text: String, at keys: [String], route: WireRoute?
    ) throws(RecordingError) -> String? {
        switch rules.treatment(of: text, at: keys) {
        case .standIn(let kind): return try pseudonyms.standIn(for: text, kind)
        case .address:
            if text.hasPrefix(AddressBook.origin) { return nil }
            let address = AddressBook.Address(
                url: text, use: AddressBook.Use(keys), route: route)
            return try addresses.add(address, as: pseudonyms.address(text))
        case nil: return pseudonyms.hiding(in: text)
        }
    }

    // MARK: Answers

    /// Makes of the service's answer what is recorded, and what the client gets.
    package mutating func translate(
        _ response: HTTPClientResponse, to forwarded: Translation.Forwarded
    ) throws(RecordingError) -> TranslatedAnswer {
        let kept = response.headers.filter { HeaderRules.isKept($0.name) }
        var headers: [RecordedAnswer.Header] = []
        for (name, value) in kept {
            headers.append(.init(name, try hidden(value, inHeader: name, of: forwarded)))
        }
        let route = forwarded.route
        var body = response.body
        if !forwarded.isDownload {
            let recorded = try JSONStrings.rewrite(body) { keys, text throws(RecordingError) in
                try hidden(text, at: keys, route: route)
            }
            if let recorded {
                body = recorded
            } else if let text = text(body) {
                body = Array((pseudonyms.hiding(in: text) ?? text).utf8)
            }
        }
        let recorded = RecordedAnswer(status: response.status, headers: headers, body: body)
        guard forwarded.isSigned else {
            return TranslatedAnswer(recorded: recorded, sent: OwnAddress.filled(recorded, own))
        }
        let sent = RecordedAnswer(
            status: response.status, headers: kept.map { .init($0.name, $0.value) },
            body: forwarded.isDownload ? response.body : proxied(response.body))
        return TranslatedAnswer(recorded: recorded, sent: OwnAddress.filled(sent, own))
    }

    private mutating func hidden(
        _ value: String, inHeader name: String, of forwarded: Translation.Forwarded
    ) throws(RecordingError) -> String {
        if SecretRules.isSecret(header: name) {
            callers.add(token: value, of: forwarded.recorded.caller)
            return try pseudonyms.standIn(for: value, .token)
        }
        if name == HeaderRules.cookieHeader {
            let parts = value.split(separator: ";", maxSplits: 1).first ?? ""
            let pair = parts.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return "" }
            // Its name, and nothing of where it is good for.
            return "\(pair[0])=\(try pseudonyms.standIn(for: String(pair[1]), .token)); Path=/"
        }
        return pseudonyms.hiding(in: value) ?? value
    }

    /// A body in which only addresses lead through the proxy.
    private func proxied(_ body: [UInt8]) -> [UInt8] {
        JSONStrings.rewrite(body) { keys, text in
            guard rules.treatment(of: text, at: keys) == .address else { return nil }
            let rest = text.contains("${f}") ? "/${f}" : ""
            return AddressBook.origin + AddressBook.Use(keys).rawValue + pseudonyms.address(text)
                + rest
        } ?? body
    }
}
