import Basics
import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockService
import MockStore

/// Changing and searching records without a client of the service.
struct RecordsResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "POST", "record", query: WireQuery.zoneKeys + ["by"],
            takes: .object([
                .text("operationType").required, Shape.Member("record", .map(.any)).required,
            ]),
            upTo: WireOperation.modifyRecords.facts.bodyBytesMax,
            answers: ["record", .flag("deleted")], refusing: OpenAPIRefusal.codes.keys,
            "executes an operation of records/modify by the service's rules", change),
        AdminEndpoint(
            "GET", "search", query: [.required("name"), "user", "container", "limit"],
            answers: [.list("matches", of: "AdminMatch"), "more"],
            "searches records by name in all zones, deleted ones included", search),
    ]

    private func search() throws(MockError) -> RequestOutcome {
        guard let name = query["name"], !name.isEmpty else {
            throw MockError("needs ?name=RECORD NAME, which may contain * and ?")
        }
        let container: Container.ID? =
            if let text = query["container"] { try Container.ID(asked: text) } else { nil }
        if let user = query["user"] { try admin.requireAccount(user) }
        let search = RecordSearch(
            Glob(name), in: ResetScope(user: query["user"], container: container),
            limit: try query.limit(upTo: RecordSearch.limitMax))
        return .job(search) {
            HTTPResponse.object { writer in
                writer.objects("matches", search.matches) { writer, match in
                    writer.place(match.key, match.zone)
                    writer.member("recordName", match.name)
                    writer.member("recordType", match.type)
                    writer.member("live", match.type != nil)
                }
                writer.member("more", search.hasMore)
            }
        }
    }

    /// Executes one operation of `records/modify` by the service's own rules, with its change tags, feeds and pushes. No
    /// fault fires, and it is not in the journal. In a public database `by` names the user.
    private func change() throws(MockError) -> RequestOutcome {
        let key = try query.database()
        guard let user = key.user.isEmpty ? query["by"] : key.user else {
            throw MockError("needs ?by=USER, who changes the record of a public database")
        }
        guard key.user.isEmpty || query["by"] == nil else {
            throw MockError("?by= is for public databases; others are changed by their user")
        }
        let zone = try query.zone()
        let operation = call.bytes.isEmpty ? Array("{}".utf8) : call.bytes
        try admin.requireAccount(user)
        var text = JSONWriter()
        text.object { writer in
            writer.object("zoneID") { writer in
                writer.member("zoneName", zone.zoneName)
                writer.member("ownerRecordName", zone.ownerRecordName)
            }
            writer.array("operations", [operation]) { $0.raw($1) }
        }
        do throws(CloudError) {
            let (command, _) = try CommandDecoder().decode(
                WireRoute(address: key.address, operation: .modifyRecords), body: text.bytes)
            let reply = try store.apply(
                command, at: key.address, by: .user(user),
                from: CommandOrigin(baseURL: call.baseURL))
            guard case .records(let changed) = reply, let item = changed.records.first else {
                throw CloudError(.unknown, reason: "the service returned nothing about the record")
            }
            if case .failure(_, let error) = item { throw error }
            return .object { writer in
                guard case .record(let record) = item else {
                    writer.member("deleted", true)
                    return
                }
                writer.key("record")
                writer.raw(DumpLine.json(of: record, numbersAsStrings: true))
            }
        } catch {
            throw MockError(
                status: error.httpStatus ?? error.code.httpStatus ?? 400,
                "\(error.code.rawValue): \(error.reason)")
        }
    }
}
