import Basics
import CloudModel
import CloudWire
import FileSystem
import HTTPServer
import JSON

extension MockApplication {
    func listContainers() -> RequestOutcome {
        .object { $0.member("containers", store.knownContainers.map(\.rawValue)) }
    }

    func listZones(_ key: DatabaseKey, after: Int64, limit: Int) throws(AdminError)
        -> RequestOutcome
    {
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

    func listRecords(
        _ key: DatabaseKey, _ id: RecordZone.ID, _ request: RecordListing.Request
    ) throws(AdminError) -> RequestOutcome {
        let listing = RecordListing(try requireZone(id, in: key), request)
        return .job(listing) {
            HTTPResponse.object { writer in
                writer.objects("records", listing.records) { $1.writeMembers(to: &$0) }
                writer.member("more", listing.next != nil)
                writer.member("after", listing.next)
            }
        }
    }

    func showRecord(
        _ key: DatabaseKey, _ id: RecordZone.ID, name: String, numbersAsStrings: Bool,
        at baseURL: String
    ) throws(AdminError) -> RequestOutcome {
        let zone = try requireZone(id, in: key)
        let found = try storing { () throws(MockStoreError) in
            try store.recordDetail(name, in: zone, of: key, baseURL: baseURL)
        }
        guard let detail = found else {
            throw AdminError(
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

    func listShares(_ key: DatabaseKey, after: Int64, limit: Int) throws(AdminError)
        -> RequestOutcome
    {
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

    /// The file of an asset, without a place in the journal and whatever the faults.
    ///
    /// - Parameters:
    ///   - path: The token of its address.
    ///   - range: Which part of it, as a `Range` field says it; nil: all.
    func showAsset(_ path: String, range: String?) throws(AdminError) -> RequestOutcome {
        do throws(CloudError) {
            let download = try store.transferring { () throws(CloudError) in
                try store.assets.download(at: path, now: clock.now)
            }
            let response = try part(of: download, range)
            guard response.status != 416 else {
                throw CloudError(
                    .badRequest, reason: "the file has \(download.file.size) bytes",
                    httpStatus: 416)
            }
            return .respond(response, after: .zero)
        } catch {
            throw AdminError(
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

    /// What can happen to an account, and what each act takes.
    func listActs() -> RequestOutcome {
        .object { writer in
            writer.objects("acts", MockAct.Kind.allCases) { writer, kind in
                let (needed, optional) = kind.parameters
                writer.member("act", kind.rawValue)
                writer.member("about", kind.summary)
                writer.member("needs", needed.map(\.rawValue))
                writer.member("takes", optional.map(\.rawValue))
            }
        }
    }

    func listSnapshots() -> RequestOutcome {
        .object { $0.member("snapshots", store.snapshotNames) }
    }

    func forgetSnapshot(_ name: String) throws(AdminError) -> RequestOutcome {
        let wasThere = try storing { () throws(MockStoreError) in
            try store.snapshots.forget(name)
        }
        guard wasThere else {
            let nearest = NearestName.closest(to: name, among: store.snapshotNames)
            throw AdminError(
                status: 404,
                "there is no snapshot \"\(name)\"" + (nearest.map { "; nearest: \($0)" } ?? ""))
        }
        return listSnapshots()
    }

    private func requireOwner(of key: DatabaseKey) throws(AdminError) {
        if !key.user.isEmpty { try requireAccount(key.user) }
    }

    func requireZone(
        _ id: RecordZone.ID, in key: DatabaseKey
    ) throws(AdminError) -> ZoneRow {
        try requireOwner(of: key)
        let found = try storing { () throws(MockStoreError) in try store.reachedZone(id, in: key) }
        guard let zone = found else {
            throw AdminError(
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
