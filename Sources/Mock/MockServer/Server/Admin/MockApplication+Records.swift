import CloudModel
import CloudWire
import HTTPServer
import JSON

/// Searching and changing records without a client of the service.
extension MockApplication {
    func search(_ name: Glob, in scope: ResetScope, limit: Int) throws(AdminError) -> RequestOutcome
    {
        if let user = scope.user { try requireAccount(user) }
        let search = RecordSearch(name, in: scope, limit: limit)
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

    /// Carries out one operation of `records/modify` by the service's own rules, with its change tags,
    /// feeds and pushes. No fault meets it, and it is not in the journal.
    ///
    /// - Parameters:
    ///   - user: Who changes it.
    ///   - operation: As JSON.
    ///   - baseURL: What URLs in the response begin with.
    func change(
        _ key: DatabaseKey, _ zone: RecordZone.ID, by user: String, _ operation: [UInt8],
        at baseURL: String
    ) throws(AdminError) -> RequestOutcome {
        try requireAccount(user)
        var body = JSONWriter()
        body.object { writer in
            writer.object("zoneID") { writer in
                writer.member("zoneName", zone.zoneName)
                writer.member("ownerRecordName", zone.ownerRecordName)
            }
            writer.array("operations", [operation]) { $0.raw($1) }
        }
        do throws(CloudError) {
            let (command, _) = try CommandDecoder().decode(
                WireRoute(address: key.address, operation: .modifyRecords), body: body.bytes)
            let reply = try store.apply(
                command, at: key.address, by: .user(user),
                from: CommandOrigin(baseURL: baseURL))
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
            throw AdminError(
                status: error.httpStatus ?? error.code.httpStatus ?? 400,
                "\(error.code.rawValue): \(error.reason)")
        }
    }
}
