import HTTPServer
import JSON

extension MockApplication {
    func listJournal(_ filter: RequestJournal.Filter) -> RequestOutcome {
        .object { writer in
            writer.member("total", observers.journal.total)
            writer.member("kept", observers.journal.count)
            writer.member("dropped", observers.journal.dropped)
            writer.member("bytes", observers.journal.bytes)
            writer.member("matching", observers.journal.count(filter))
            writer.objects("entries", observers.journal.entries(filter)) {
                $1.writeMembers(to: &$0)
            }
        }
    }

    func clearJournal() -> RequestOutcome {
        observers.journal.clear()
        return .object { $0.member("kept", 0) }
    }
}

extension RequestJournal.Entry {
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("number", number)
        writer.member("time", time.milliseconds)
        writer.member("method", method)
        writer.member("operation", operation)
        writer.member("container", container)
        writer.member("environment", environment?.rawValue)
        writer.member("scope", scope?.rawValue)
        writer.member("user", user)
        writer.member("device", device)
        writer.member("zones", zones)
        if !recordTypes.isEmpty { writer.member("recordTypes", recordTypes) }
        writer.member("items", items)
        writer.member("status", status)
        writer.object("codes") { writer in
            if fine > 0 { writer.member("OK", fine) }
            for (code, count) in codes.sorted(by: { $0.key < $1.key }) {
                writer.member(code, count)
            }
        }
        writer.member("code", failure?.code)
        writer.member("reason", failure?.reason)
        writer.member("rule", failure?.rule)
        writer.member("uuid", uuid)
        writer.objects("failures", failures) { writer, item in
            writer.member("name", item.name)
            writer.member("code", item.why.code)
            writer.member("reason", item.why.reason)
            writer.member("rule", item.why.rule)
        }
        writer.member("faults", faults)
        writer.member("requestBytes", requestBytes)
        writer.member("replyBytes", replyBytes)
        writer.member("microseconds", microseconds)
    }
}
