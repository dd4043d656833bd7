import Basics
import JSON

/// What `manifest.json` says.
struct ExportManifest: Sendable {
    /// The version of the form of all that is in the folder.
    static let format = "cksweep-export/1"

    let subject: ExportSubject
    /// SHA-256 of the public key that the server has shown; nil: there was no TLS.
    let serverKey: String?
    let toolVersion: String
    let began: Timestamp
    let ended: Timestamp
    let rows: [ExportRow]
    /// Sorted by path.
    let files: [ManifestFile]

    /// Whether all that was in scope is in the export: no row says that nobody could look, or that
    /// no look can show it.
    var isComplete: Bool { !rows.contains(where: \.isOpen) }

    var totals: ExportTotals {
        var totals = ExportTotals()
        for file in files { file.add(to: &totals) }
        return totals
    }

    /// Canonical JSON: keys sorted, no white space, so that the same facts are the same bytes.
    /// About 500 bytes for each zone.
    var text: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("began", began.iso8601)
        json.member("complete", isComplete)
        json.objects("containers", subject.people) { json, person in
            json.member("identifier", person.container.rawValue)
            json.member("person", person.pseudonym)
        }
        json.member("databases", subject.scopes.map(\.rawValue))
        json.member("ended", ended.iso8601)
        json.member("environment", subject.environment.rawValue)
        json.array("files", files) { json, file in file.write(to: &json) }
        json.member("format", Self.format)
        json.member("rehearsal", subject.server.isRehearsal)
        json.objects("rows", rows) { json, row in
            json.member("container", row.container.rawValue)
            json.member("database", row.scope.rawValue)
            json.member("found", row.found)
            json.member("open", row.isOpen)
            json.member("outcome", row.outcome)
            json.member("place", row.place)
            json.member("reason", row.reason)
            json.member("subject", row.subject)
        }
        json.member("server", subject.server.url)
        json.member("serverKey", serverKey)
        json.member("toolVersion", toolVersion)
        json.endObject()
        return json.bytes
    }
}
