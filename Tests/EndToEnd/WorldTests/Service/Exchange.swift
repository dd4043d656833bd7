import HTTPServer
import JSON

/// One request of our client and its answer, read without the client's own code.
struct Exchange: Sendable {
    /// When it was answered, in the world's milliseconds.
    let time: Int64
    let container: String
    let environment: String
    let scope: String
    /// Such as `zones/modify`.
    let operation: String
    /// What was named, each with a zone where records are meant.
    let asked: [Part]
    /// The record type of a query.
    let type: String?
    /// What the answer lists.
    let answered: [Part]
    /// Whether it was sent with another person's token.
    let isOther: Bool
    let status: Int
    /// The code and reason of a request that failed as a whole.
    let refusal: Refusal?

    /// A thing that a request or an answer names.
    struct Part: Sendable, Hashable {
        var zone: String
        var name: String
        var type: String?
        /// `delete`, `forceDelete`, `forceReplace`, …
        var verb: String?
        var refusal: Refusal?
    }
    struct Refusal: Sendable, Hashable {
        let code: String
        let reason: String
        /// Whether a fault of the world's made it.
        var isInjected: Bool { reason == "injected fault" }
    }

    static let modifying: Set = ["zones/modify", "records/modify", "subscriptions/modify"]
    var isModifying: Bool { Self.modifying.contains(operation) }

    /// nil: not a request of the service.
    init?(
        _ time: Int64, _ request: HTTPRequest, _ response: HTTPResponse?, isOther: Bool
    ) throws {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count == 7, parts[0] == "database" else { return nil }
        self.time = time
        self.isOther = isOther
        (container, environment, scope) = (parts[2], parts[3], parts[4])
        operation = parts[5] + "/" + parts[6]
        let body = try request.body.isEmpty ? nil : JSONDocument.parse(request.body).root
        asked = body.map { Self.asked($0) } ?? []
        type = body?["query"]?["recordType"]?.string
        status = response?.status ?? 0
        guard let response else {
            (answered, refusal) = ([], nil)
            return
        }
        let answer = try JSONDocument.parse(response.body).root
        refusal = Self.refusal(answer)
        answered = Self.answered(answer)
    }

    private static func refusal(_ value: JSONValue) -> Refusal? {
        value["serverErrorCode"]?.string.map {
            Refusal(code: $0, reason: value["reason"]?.string ?? "")
        }
    }

    private static func asked(_ body: JSONValue) -> [Part] {
        let zone = body["zoneID"]?["zoneName"]?.string ?? "_defaultZone"
        var parts: [Part] = []
        for operation in body["operations"]?.elements.map({ $0 }) ?? [] {
            let verb = operation["operationType"]?.string
            if let record = operation["record"] {
                parts.append(
                    Part(
                        zone: record["zoneID"]?["zoneName"]?.string ?? zone,
                        name: record["recordName"]?.string ?? "", verb: verb))
            } else if let name = operation["zone"]?["zoneID"]?["zoneName"]?.string {
                parts.append(Part(zone: name, name: "", verb: verb))
            } else if let id = operation["subscription"]?["subscriptionID"]?.string {
                parts.append(Part(zone: "", name: id, verb: verb))
            }
        }
        for item in body["zones"]?.elements.map({ $0 }) ?? [] {
            let name = item["zoneID"]?["zoneName"]?.string ?? item["zoneName"]?.string ?? ""
            parts.append(Part(zone: name, name: ""))
        }
        for item in body["records"]?.elements.map({ $0 }) ?? [] {
            parts.append(Part(zone: zone, name: item["recordName"]?.string ?? ""))
        }
        return parts
    }

    private static func answered(_ answer: JSONValue) -> [Part] {
        var parts: [Part] = []
        func add(_ item: JSONValue, zone: String) {
            parts.append(
                Part(
                    zone: item["zoneID"]?["zoneName"]?.string ?? zone,
                    name: item["recordName"]?.string ?? item["subscriptionID"]?.string ?? "",
                    type: item["recordType"]?.string ?? item["query"]?["recordType"]?.string,
                    refusal: refusal(item)))
        }
        for key in ["zones", "records", "subscriptions"] {
            for item in answer[key]?.elements.map({ $0 }) ?? [] {
                add(item, zone: "")
                let zone = item["zoneID"]?["zoneName"]?.string ?? ""
                for record in item["records"]?.elements.map({ $0 }) ?? [] {
                    add(record, zone: zone)
                }
            }
        }
        return parts
    }
}
