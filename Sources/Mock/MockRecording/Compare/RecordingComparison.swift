private import CloudWire
package import HTTPClient
private import JSON
package import MockRules

/// Asks another server what a recording has, and tells where it answers otherwise.
package struct RecordingComparison {
    /// A server, and who asks there in place of those who are recorded.
    package struct Target: Sendable {
        package let url: String
        package let apiToken: String
        /// In the order of the recording's users.
        package let webTokens: [String]

        package init(url: String, apiToken: String, webTokens: [String]) {
            self.url = url
            self.apiToken = apiToken
            self.webTokens = webTokens
        }
    }

    /// Where an answer differs.
    package struct Finding: Sendable {
        package let number: Int
        /// `POST records/query`
        package let request: String
        package let difference: JSONDifference
        /// Those that it speaks of, where that can be told.
        package let rules: [BehaviorRule]
    }

    /// What has come of it.
    package struct Summary: Sendable {
        package var compared = 0
        /// Requests that could not be asked, with the reason.
        package var skipped: [(number: Int, reason: String)] = []
        package var differing = 0
    }

    private let file: RecordingFile
    private let target: Target
    private let client: HTTPClient
    private var comparison = AnswerComparison()
    private var summary = Summary()

    package init(_ file: RecordingFile, with target: Target, over client: HTTPClient) {
        self.file = file
        self.target = target
        self.client = client
    }

    /// Asks everything in the recorded order.
    ///
    /// - Parameter report: Told of each difference.
    /// - Throws: `RecordingError` when the file cannot be read, or the server does not answer.
    package mutating func run(
        _ report: (Finding) -> Void
    ) async throws(RecordingError) -> Summary {
        for entry in file.entries {
            let recorded = try file.request(of: entry)
            guard try file.answer(of: entry).answer.value(of: ErrorAnswer.header) == nil else {
                summary.skipped.append((entry.number, "\"cloudkit-mock record\" refused it"))
                continue
            }
            let request: HTTPClientRequest
            switch translated(recorded) {
            case .success(let found): request = found
            case .failure(let skip):
                summary.skipped.append((entry.number, skip.reason))
                continue
            }
            let response: HTTPClientResponse
            do throws(HTTPClientError) {
                response = try await client.send(request)
            } catch {
                throw RecordingError(
                    .address,
                    "exchange \(entry.number): the server did not reply: "
                        + error.message)
            }
            try compare(entry, recorded, response, report)
        }
        return summary
    }

    private mutating func compare(
        _ entry: RecordingFile.Entry, _ recorded: RecordedRequest, _ response: HTTPClientResponse,
        _ report: (Finding) -> Void
    ) throws(RecordingError) {
        var (answer, pieces) = try file.answer(of: entry)
        while let piece = try pieces?.next() { answer.body += piece }
        let found = RecordedAnswer(status: response.status, body: response.body)
        let differences = comparison.compare(
            answer, found, isBinary: AddressBook.isDownload(entry.path))
        summary.compared += 1
        if !differences.isEmpty { summary.differing += 1 }
        let operation = Self.operation(recorded)
        for difference in differences {
            report(
                Finding(
                    number: entry.number,
                    request: "\(entry.method) \(operation?.rawValue ?? entry.path)",
                    difference: difference,
                    rules: RuleClue.rules(for: difference, in: operation)))
        }
    }

    private static func operation(_ request: RecordedRequest) -> WireOperation? {
        try? WireRoute.parse(method: request.method, path: request.path, query: "").operation
    }

    // MARK: Requests

    private struct Skip: Error {
        let reason: String
    }

    /// The request as it is put to the other server.
    private func translated(_ request: RecordedRequest) -> Result<HTTPClientRequest, Skip> {
        guard let method = HTTPClientRequest.Method(rawValue: request.method) else {
            return .failure(Skip(reason: "\(request.method) is not requested"))
        }
        let headers = request.range.map { [(name: "range", value: $0)] } ?? []
        if AddressBook.isAddress(request.path) {
            guard let url = address(request.path) else {
                return .failure(
                    Skip(reason: "the server has issued no address in place of the recorded one")
                )
            }
            // A boundary of parts is in the body's first line.
            return .success(
                HTTPClientRequest(
                    method, url, headers: headers + Self.contentType(ofUpload: request.body),
                    body: request.body))
        }
        switch query(of: request) {
        case .failure(let skip): return .failure(skip)
        case .success(let query):
            let body =
                JSONStrings.rewrite(request.body) { _, text in
                    comparison.renaming.renamed(text)
                } ?? request.body
            return .success(
                HTTPClientRequest(
                    method, target.url + request.path + (query.isEmpty ? "" : "?\(query)"),
                    headers: headers, body: body))
        }
    }

    private static func contentType(
        ofUpload body: [UInt8]
    ) -> [(name: String, value: String)] {
        let line = body.prefix { $0 != 0x0D }.prefix(200)
        guard line.starts(with: [0x2D, 0x2D]) else { return [] }
        let boundary = String(decoding: line.dropFirst(2), as: UTF8.self)
        return [("content-type", "multipart/form-data; boundary=\(boundary)")]
    }

    /// The address that the server has given out where the recording has this path.
    private func address(_ path: String) -> String? {
        let whole = AddressBook.origin + path
        if let url = comparison.renaming.renamed(whole) { return url }
        let parts = path.split(separator: "/", maxSplits: 2)
        guard parts.count >= 2 else { return nil }
        let known = "\(AddressBook.origin)/\(parts[0])/\(parts[1])/${f}"
        return comparison.renaming.renamed(known)?
            .replacing("${f}", with: parts.count == 3 ? parts[2] : "file")
    }

    /// The query with credentials of the other server.
    private func query(of request: RecordedRequest) -> Result<String, Skip> {
        var parts = RequestKey.parameters(of: request)
        let credentials = Credentials(query: request.query)
        if credentials.apiToken != nil {
            parts.append("ckAPIToken=\(WireQuery.encoded(target.apiToken))")
        }
        guard request.caller != CallerLabels.nobody else { return .success(joined(parts)) }
        guard let number = CallerLabels.number(ofUser: request.caller) else {
            return .failure(
                Skip(reason: "it was sent with \(request.caller), which is not available"))
        }
        guard target.webTokens.indices.contains(number - 1) else {
            return .failure(
                Skip(reason: "the server has no user in place of \(request.caller)"))
        }
        parts.append("ckWebAuthToken=\(WireQuery.encoded(target.webTokens[number - 1]))")
        return .success(joined(parts))
    }

    private func joined(_ parts: [String]) -> String { parts.joined(separator: "&") }
}
