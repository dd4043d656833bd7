import CloudModel
import CloudWire
import HTTPServer
import JSON

extension MockApplication {
    func listJournal(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        let filter = try Self.filter(ask.query)
        let entries = journal.entries(filter)
        return adminAnswer { writer in
            writer.member("total", journal.total)
            writer.member("kept", journal.count)
            writer.member("dropped", journal.dropped)
            writer.member("bytes", journal.bytes)
            writer.member("matching", journal.count(filter))
            writer.key("entries")
            writer.beginArray()
            for entry in entries { entry.write(to: &writer) }
            writer.endArray()
        }
    }

    func clearJournal() -> Outcome {
        journal.clear()
        return adminAnswer { $0.member("kept", 0) }
    }

    private static func filter(_ query: WireQuery) throws(AdminError) -> RequestJournal.Filter {
        var filter = RequestJournal.Filter()
        for item in query.items {
            let value = item.value
            switch item.name {
            case "operation":
                guard let operation = FaultOperation(value) else {
                    throw AdminError(
                        "unknown operation; nearest: \(FaultOperation.nearest(to: value))")
                }
                filter.operation = operation
            case "container": filter.container = Glob(value)
            case "zone": filter.zone = Glob(value)
            case "user": filter.user = value
            case "fault": filter.fault = value
            case "scope":
                guard let scope = Database.Scope(rawValue: value) else {
                    throw AdminError("scope must be private, shared or public")
                }
                filter.scope = scope
            case "status": filter.status = try number(item)
            case "after": filter.after = try number(item)
            case "limit": filter.limit = min(try number(item), 10_000)
            case "last": filter.last = min(try number(item), 10_000)
            default:
                let names = [
                    "operation", "container", "zone", "user", "fault", "scope", "status", "after",
                    "limit", "last",
                ]
                throw AdminError(
                    "unknown filter; nearest: "
                        + (NearestName.closest(to: item.name, among: names) ?? ""))
            }
        }
        return filter
    }

    private static func number(_ item: WireQuery.Item) throws(AdminError) -> Int {
        guard let number = Int(item.value), number >= 0 else {
            throw AdminError("\(item.name) must be a whole number")
        }
        return number
    }
}

extension RequestJournal.Entry {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("number", number)
        writer.key("time")
        writer.int64(time.milliseconds)
        writer.member("method", method)
        writer.member("operation", operation)
        if let container { writer.member("container", container) }
        if let scope { writer.member("scope", scope.rawValue) }
        if let user { writer.member("user", user) }
        Self.write("zones", zones, to: &writer)
        writer.member("items", items)
        writer.member("status", status)
        writer.key("codes")
        writer.beginObject()
        if fine > 0 { writer.member("OK", fine) }
        for (code, count) in codes.sorted(by: { $0.key < $1.key }) { writer.member(code, count) }
        writer.endObject()
        Self.write("faults", faults, to: &writer)
        writer.member("requestBytes", requestBytes)
        writer.member("replyBytes", replyBytes)
        writer.key("microseconds")
        writer.int64(microseconds)
        writer.endObject()
    }

    private static func write(_ name: String, _ texts: [String], to writer: inout JSONWriter) {
        writer.key(name)
        writer.beginArray()
        for text in texts { writer.string(text) }
        writer.endArray()
    }
}
