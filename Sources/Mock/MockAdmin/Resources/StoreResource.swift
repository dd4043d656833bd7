import Basics
import CloudModel
import CloudWire
import FileSystem
import HTTPServer
import JSON
import MockFaults
import MockService
import MockStore

/// What the store holds: containers, zones, records, shares and assets.
struct StoreResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "containers", answers: ["containers"], "lists the containers that were named",
            listContainers),
        AdminEndpoint(
            "GET", "zones", query: WireQuery.databaseKeys + ["after", "limit"],
            answers: ["zones", "more", "after"],
            "lists the zones of a database, deleted ones included, with counts", listZones),
        AdminEndpoint(
            "GET", "records",
            query: WireQuery.zoneKeys + ["name", "type", "deleted", .text("after"), "limit"],
            answers: ["records", "more", "after"],
            "lists the records of a zone by name, deleted ones included", listRecords),
        AdminEndpoint(
            "GET", "record",
            query: WireQuery.zoneKeys + [.required("name"), .flag("numbersAsStrings")],
            answers: [
                "record", "tombstone", "place", "bytes", "createdBy", "modifiedBy", "deletedBy",
                "referrers",
            ], "returns a record with all its fields, or what is left of a deleted one",
            showRecord),
        AdminEndpoint(
            "GET", "shares", query: WireQuery.databaseKeys + ["after", "limit"],
            answers: ["shares", "more", "after"],
            "lists the shares of a private database with their participants", listShares),
        AdminEndpoint(
            "GET", "asset", query: [.required("downloadURL")],
            answers: .bytes(["application/octet-stream"]), refusing: [410, 416], partly: 206,
            "sends the file of an asset, regardless of faults, without a journal entry",
            showAsset),
    ]

    private func listContainers() -> RequestOutcome {
        .object { $0.member("containers", store.knownContainers.map(\.rawValue)) }
    }

    private func listZones() throws(MockError) -> RequestOutcome {
        let key = try query.database()
        let after = Int64(try query.number("after") ?? -1)
        let limit = try query.limit(upTo: ZoneListing.limitMax)
        try requireOwner(of: key)
        let listing = ZoneListing(key, after: after, limit: limit)
        return .job(listing) {
            HTTPResponse.object { writer in
                writer.objects("zones", listing.zones) { $1.writeMembers(to: &$0) }
                writer.member("more", listing.hasMore)
                if listing.hasMore { writer.member("after", listing.zones.last?.row.dbSeq) }
            }
        }
    }

    private func listRecords() throws(MockError) -> RequestOutcome {
        var request = RecordListing.Request()
        request.after = query["after"] ?? ""
        request.limit = try query.limit(upTo: RecordListing.limitMax)
        request.name = query["name"].map { Glob($0) }
        request.type = query["type"]
        if let text = query["deleted"] {
            guard let deleted = RecordListing.Deleted(rawValue: text) else {
                throw MockError("?deleted= must be no, also or only")
            }
            request.deleted = deleted
        }
        let listing = RecordListing(
            try requireZone(try query.zone(), in: try query.database()), request)
        return .job(listing) {
            HTTPResponse.object { writer in
                writer.objects("records", listing.records) { $1.writeMembers(to: &$0) }
                writer.member("more", listing.next != nil)
                writer.member("after", listing.next)
            }
        }
    }

    private func showRecord() throws(MockError) -> RequestOutcome {
        guard let name = query["name"] else { throw MockError("needs ?name=RECORD NAME") }
        let (key, id) = (try query.database(), try query.zone())
        let numbersAsStrings = try query.flag("numbersAsStrings")
        let zone = try requireZone(id, in: key)
        let found = try storing { () throws(MockStoreError) in
            try store.recordDetail(name, in: zone, of: key, baseURL: call.baseURL)
        }
        guard let detail = found else {
            throw MockError(
                status: 404,
                "there is no record with this name in zone \"\(id.zoneName)\", and no trace of one"
            )
        }
        return .object { writer in
            if let record = detail.record {
                writer.key("record")
                writer.raw(DumpLine.json(of: record, numbersAsStrings: numbersAsStrings))
            } else {
                writer.object("tombstone") { detail.facts.writeMembers(to: &$0) }
            }
            writer.member("place", detail.facts.place)
            writer.member("bytes", detail.facts.bytes)
            writer.member("createdBy", detail.createdBy)
            writer.member("modifiedBy", detail.modifiedBy)
            writer.member("deletedBy", detail.deletedBy)
            writer.objects("referrers", detail.referrers) { writer, source in
                writer.member("recordName", source.name)
                writer.member("kind", source.kind.text)
            }
        }
    }

    private func listShares() throws(MockError) -> RequestOutcome {
        let key = try query.database()
        guard case .private = key.address.scope else {
            throw MockError("shares are in their owner's private database")
        }
        let after = Int64(try query.number("after") ?? 0)
        let limit = try query.limit(upTo: MockStore.sharesMax)
        try requireOwner(of: key)
        let (shares, next) = try storing { () throws(MockStoreError) in
            try store.shareFacts(in: key, after: after, limit: limit)
        }
        return .object { writer in
            writer.objects("shares", shares) { $1.writeMembers(to: &$0) }
            writer.member("more", next != nil)
            writer.member("after", next)
        }
    }

    /// The file of an asset, without a journal entry and regardless of faults.
    private func showAsset() throws(MockError) -> RequestOutcome {
        guard let address = query["downloadURL"] else {
            throw MockError("needs ?downloadURL= of a field of GET record")
        }
        let path = WireTransfer.download.token(in: address) ?? ""
        do throws(CloudError) {
            let download = try store.transferring { () throws(CloudError) in
                try store.assets.download(at: path, now: clock.now)
            }
            let response = try part(of: download, call.range)
            guard response.status != 416 else {
                throw CloudError(
                    .badRequest, reason: "the file has \(download.file.size) bytes",
                    httpStatus: 416)
            }
            return .respond(response, after: .zero)
        } catch {
            throw MockError(
                status: error.httpStatus ?? error.code.httpStatus ?? 404, error.reason)
        }
    }

    private func part(
        of download: AssetDownload, _ range: String?
    ) throws(CloudError) -> HTTPResponse {
        do throws(FileError) {
            let source = try AssetSource(
                try store.assets.disk().folder.file(download.file.digest))
            return HTTPResponse(
                range: range, of: Int(download.file.size),
                headers: [
                    "content-type": "application/octet-stream",
                    "content-disposition": "attachment",
                    "x-content-type-options": "nosniff", "cache-control": "no-store",
                ]
            ) { source.part($0) }
        } catch {
            throw CloudError(.internalError, reason: "cannot read the asset's file")
        }
    }

    private func requireOwner(of key: DatabaseKey) throws(MockError) {
        if !key.user.isEmpty { try admin.requireAccount(key.user) }
    }

    private func requireZone(
        _ id: RecordZone.ID, in key: DatabaseKey
    ) throws(MockError) -> ZoneRow {
        try requireOwner(of: key)
        let found = try storing { () throws(MockStoreError) in try store.reachedZone(id, in: key) }
        guard let zone = found else {
            throw MockError(
                status: 404,
                "there is no zone \"\(id.zoneName)\" in this database"
                    + (key.address.scope == .shared && id.ownerRecordName == nil
                        ? "; in a shared one name its ?owner=" : ""))
        }
        return zone
    }
}

extension ZoneFacts {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("zone", id.zoneName)
        writer.member("owner", id.ownerRecordName)
        writer.member("live", row.isLive)
        if !row.isLive { writer.member("deletion", row.deletion.text) }
        writer.member("records", records)
        writer.member("tombstones", tombstones)
        writer.member("shares", shares)
        writer.member("place", row.dbSeq)
        writer.member("end", row.seq)
    }
}

extension RecordFacts {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("recordName", name)
        writer.member("recordType", type)
        writer.member("recordChangeTag", tag)
        writer.member("live", isLive)
        writer.member("place", place)
        writer.member("bytes", bytes)
        writer.member("parent", parent)
        writer.member("share", share)
        writer.stamp("created", created)
        writer.stamp("modified", modified)
        writer.stamp("deleted", deleted)
    }
}

extension ShareFacts {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("zone", zone)
        writer.member("recordName", recordName)
        writer.member("root", root)
        writer.member("publicPermission", sharing.publicPermission.rawValue)
        writer.objects("participants", sharing.participants) { writer, person in
            writer.member("participantID", person.id)
            writer.member("user", person.user)
            writer.member("userRecordName", person.shown.identity.userRecordName)
            writer.member("role", person.shown.role.rawValue)
            writer.member("permission", person.shown.permission.rawValue)
            writer.member("acceptance", person.shown.acceptance.rawValue)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func stamp(_ name: String, _ stamp: Record.Stamp?) {
        guard let stamp else { return }
        object(name) { writer in
            writer.member("timestamp", stamp.timestamp.milliseconds)
            writer.member("userRecordName", stamp.userRecordName)
            writer.member("deviceID", stamp.deviceID)
        }
    }
}

extension Link.Kind {
    fileprivate var text: String {
        switch self {
        case .deleteSelf: "DELETE_SELF"
        case .validate: "VALIDATE"
        case .parent: "parent"
        }
    }
}

extension RecordZone.DeletionReason {
    fileprivate var text: String {
        switch self {
        case .deleted: "deleted"
        case .purged: "purged"
        case .encryptedDataReset: "encryptedDataReset"
        }
    }
}
