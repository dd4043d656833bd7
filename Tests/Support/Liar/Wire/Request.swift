/// A request as it arrived, and what it asks for.
package struct Request: Sendable {
    package var method: String
    /// Path and query.
    package var target: String
    package var headers: [Header]
    package var body: [UInt8]
    /// Which connection it came on, from 0.
    package var connection = 0

    package struct Header: Sendable, Hashable {
        package var name: String
        package var value: String
    }

    package init(
        method: String, target: String, headers: [Header] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// `/database/1/CONTAINER/ENVIRONMENT/SCOPE/OPERATION`, in pieces.
    private var pieces: [Substring] {
        target.prefix { $0 != "?" }.split(separator: "/", maxSplits: 5)
    }

    package var container: String { pieces.count == 6 ? String(pieces[2]) : "" }
    package var scope: Scope? { pieces.count == 6 ? Scope(rawValue: String(pieces[4])) : nil }
    package var operation: Operation? {
        if target.hasPrefix("/asset/") { return .download }
        return pieces.count == 6 ? Operation(rawValue: String(pieces[5])) : nil
    }
    package var json: Value? { Value(body) }

    /// What this request has in common with its repetitions and further pages alone: the zones
    /// or the record type that it asks about.
    package var subject: String {
        guard let json else { return "" }
        if let type = json["query"]?["recordType"]?.text { return type }
        return (json["zones"]?.elements ?? []).compactMap { $0["zoneID"]?["zoneName"]?.text }
            .joined(separator: " ")
    }

    /// Where the page begins that is asked for; nil: at the beginning of a listing.
    package var token: String? {
        guard let json else { return nil }
        let zones = (json["zones"]?.elements ?? []).compactMap { $0["syncToken"]?.text }
        return json["syncToken"]?.text ?? json["continuationMarker"]?.text ?? zones.first
    }

    /// Whether it asks for the beginning of a listing.
    package var isFirstPage: Bool { token == nil }

    /// The same request without this token; nil when it bears another.
    func fromTheBeginning(after token: String) -> Request? {
        guard let json, String(decoding: json.bytes, as: UTF8.self).contains("\"\(token)\"")
        else { return nil }
        var request = self
        request.body = json.without(["syncToken", "continuationMarker"]).bytes
        return request
    }
}
