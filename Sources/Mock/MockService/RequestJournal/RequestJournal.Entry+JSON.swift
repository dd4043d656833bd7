import CloudModel
import CloudWire
package import JSON

extension RequestJournal.Entry {
    package func writeMembers(to writer: inout JSONWriter) {
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

extension RequestJournal.Entry.Failure {
    /// The name of the rule that has refused it.
    package var rule: String? {
        if case .rule(let name, _) = cause { name.description } else { nil }
    }
}
