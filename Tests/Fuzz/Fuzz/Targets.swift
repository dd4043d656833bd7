import CloudModel
import CloudWire
import HTTPServer
import JSON
import SweepEngine

/// The HTTP/1.1 parser: the first byte says where to cut, and where must not matter.
func fuzzHTTP(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    var whole = HTTP1Parser()
    let expected = whole.feed(bytes).map(describe)
    var pieces = HTTP1Parser()
    var events: [String] = []
    let size = Int(first % 16) + 1
    for start in stride(from: 0, to: bytes.count, by: size) {
        events += pieces.feed(Array(bytes[start..<min(start + size, bytes.count)])).map(describe)
        if events.last?.hasPrefix("failure") == true { break }
    }
    precondition(withoutContinue(events) == withoutContinue(expected), "cutting changed the result")
}

private func describe(_ event: HTTP1Parser.Event) -> String {
    switch event {
    case .needsMore: "more"
    case .continueExpected: "continue"
    case .request(let request, let keepAlive):
        "request \(request.method) \(request.target) \(request.body) \(keepAlive)"
    case .failure(let error): "failure \(error)"
    }
}

/// A body that has arrived already needs no `100 Continue`.
private func withoutContinue(_ events: [String]) -> [String] { events.filter { $0 != "continue" } }

/// JSON in, and everything above it that reads bodies: the first byte chooses the operation.
func fuzzJSON(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    let operations = [
        "zones/list", "zones/lookup", "zones/modify", "zones/changes", "changes/database",
        "changes/zone", "records/query", "records/lookup", "records/modify", "subscriptions/list",
        "subscriptions/lookup", "subscriptions/modify", "users/caller",
    ]
    let path =
        "/database/1/iCloud.com.example.app/development/private/"
        + operations[Int(first) % operations.count]
    guard let route = try? WireRoute.parse(method: "POST", path: path, query: ""),
        let address = Optional(route.address)
    else { return }
    if let (command, _) = try? CommandDecoder().decode(route, body: bytes) {
        let again = WireRequest(command, at: address)
        if !again.body.isEmpty {
            precondition(
                (try? JSONDocument.parse(again.body)) != nil, "what we write cannot be read")
        }
        _ = try? ReplyReader.read(bytes, status: 200, retryAfterHeader: nil, to: command)
    }
}

/// The plan reader: any bytes give lines and an error, never a trap.
func fuzzPlan(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    let reader = PlanReader()
    let size = Int(first) + 1
    for start in stride(from: 0, to: bytes.count, by: size) {
        guard (try? reader.feed(Array(bytes[start..<min(start + size, bytes.count)]))) != nil
        else { return }
    }
    _ = try? reader.finish()
}
