import CloudWire
import HTTPServer
import JSON
import SweepEngine

/// The HTTP/1.1 parser: the first byte says where to cut, and where must not matter.
func fuzzHTTP(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    var whole = HTTP1Parser()
    let expected = describe(whole.feed(bytes), bytes)
    var pieces = HTTP1Parser()
    var events: [String] = []
    let size = Int(first % 16) + 1
    for start in stride(from: 0, to: bytes.count, by: size) {
        let piece = Array(bytes[start..<min(start + size, bytes.count)])
        events += describe(pieces.feed(piece), piece)
        if events.last?.hasPrefix("failure") == true { break }
    }
    precondition(events == expected, "cutting changed the result")
}

/// What came, with a body byte by byte. A body that has arrived already needs no `100 Continue`.
private func describe(_ events: [HTTP1Parser.Event], _ bytes: [UInt8]) -> [String] {
    events.flatMap { event in
        switch event {
        case .needsMore, .continueExpected: [String]()
        case .head(let request, let length):
            ["\(request.method) \(request.target) \(length ?? -1)"]
        case .body(let range): bytes[range].map { "byte \($0)" }
        case .end(let keepAlive): ["end \(keepAlive)"]
        case .failure(let error): ["failure \(error)"]
        }
    }
}

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
    guard let (command, _) = try? CommandDecoder().decode(route, body: bytes) else { return }
    // What cannot be read of a record is never sent.
    if case .write(.modifyRecords(let request)) = command,
        request.operations.contains(where: { $0.malformation != nil })
    {
        return
    }
    let again = WireRequest(command, at: address)
    guard let route = try? WireRoute.parse(method: again.method, path: again.path, query: ""),
        let (read, _) = try? CommandDecoder().decode(route, body: again.body)
    else { preconditionFailure("what we write cannot be read") }
    precondition(read == command, "what we write is read as something else")
    _ = try? ReplyReader.read(bytes, status: 200, retryAfterHeader: nil, to: command)
    _ = try? ReplyReader.read(bytes, status: 503, retryAfterHeader: "30", to: command)
}

/// The reader of forms: the first byte says where to cut, and where must not matter. What it gives is
/// in the body, and a whole form ends before a boundary.
func fuzzMultipart(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    let whole = readForm(bytes, inPiecesOf: max(bytes.count, 1))
    let cut = readForm(bytes, inPiecesOf: Int(first % 32) + 1)
    precondition(whole.problem == cut.problem, "cutting changed the result")
    precondition(whole.problem != nil || whole.content == cut.content, "cutting changed the file")
    guard whole.problem == nil else { return }
    let end = Array("\r\n--B".utf8)
    precondition(
        bytes.firstRange(of: whole.content + end) != nil, "the file is not what the form holds")
    precondition(whole.content.firstRange(of: end) == nil, "the file goes on over its end")
}

/// The file in a form, and what is wrong with that.
private func readForm(
    _ bytes: [UInt8], inPiecesOf size: Int
) -> (content: [UInt8], problem: MultipartReader.Problem?) {
    var content: [UInt8] = []
    do throws(MultipartReader.Problem) {
        guard var reader = try MultipartReader(contentType: "multipart/form-data; boundary=B")
        else { preconditionFailure("a form is taken for something else") }
        for start in stride(from: 0, to: bytes.count, by: size) {
            content += try reader.content(of: bytes[start..<min(start + size, bytes.count)].span)
        }
        try reader.finish()
        return (content, nil)
    } catch {
        return (content, error)
    }
}

/// The plan reader: any bytes give lines and an error, never a trap. The first byte says where to
/// cut, and where must not matter; a line that is read is written as one that reads the same.
func fuzzPlan(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    let whole = read(bytes, inPiecesOf: max(bytes.count, 1))
    let cut = read(bytes, inPiecesOf: Int(first) + 1)
    precondition(whole.isPlan == cut.isPlan, "cutting changed the result")
    precondition(!whole.isPlan || whole.lines == cut.lines, "cutting changed the lines")
    for line in cut.lines {
        precondition(
            (try? PlanLine(line.bytes, line: 1)) == line, "what we write is read as something else")
    }
}

/// The lines that could be read, and whether they are a whole plan.
private func read(_ bytes: [UInt8], inPiecesOf size: Int) -> (lines: [PlanLine], isPlan: Bool) {
    let reader = PlanReader()
    var lines: [PlanLine] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
        guard let more = try? reader.feed(Array(bytes[start..<min(start + size, bytes.count)]))
        else { return (lines, false) }
        lines += more
    }
    return (lines, (try? reader.finish()) != nil)
}
