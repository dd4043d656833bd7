import CloudModel
import DeletionPlanning
import Journal

/// Reads the zones of others for what the person created there, and says what stays and whose it is.
struct SharedZoneContents: Sendable {
    /// Rows of single zones; what stays in further ones is told in one.
    static let rowsMax = 100

    let look: PlaceLook

    private var deletesMine: Bool {
        look.request.policy.deletesMineInShared(in: look.container)
    }

    /// Looks into the zones that this look has seen and no rule keeps.
    func lookIntoAll() async throws(SweepFailure) -> Finding {
        var finding = Finding.complete
        var unnamed = 0
        try await look.eachSeen(.sharedZone) { (row) async throws(SweepFailure) in
            let zone = RecordZone.ID(qualifiedName: row.zone)
            if look.request.policy.ruleKeepingZone(zone.zoneName, in: look.container) != nil {
                return
            }
            do throws(SweepFailure) {
                let (mine, others) = try await lookInto(zone, row)
                guard look.look != .verification else { return }
                guard finding.remarks.count < Self.rowsMax else {
                    unnamed += 1
                    return
                }
                finding.remarks.append(stays(in: zone, mine: mine, others: others))
            } catch {
                finding.add(try look.unread(.sharedZones, zone.words, error))
            }
        }
        if unnamed > 0 {
            finding.remarks.append(
                look.remark(
                    .sharedRecords, .notInScope,
                    "records of other users in \(unnamed) more zones stay with their owners",
                    subject: "more zones"))
        }
        return finding
    }

    /// Notes what the person created in a zone.
    ///
    /// - Returns: how many records are the person's, and how many others have.
    private func lookInto(
        _ zone: RecordZone.ID, _ row: SeenRow
    ) async throws(SweepFailure) -> (mine: Int, others: Int) {
        var (mine, others) = (0, 0)
        var holdsKept = false
        let kept = Set(look.request.policy.typesKept(inZone: zone.zoneName, of: look.container))
        // What goes may take along what refers to it: then all fields are wanted.
        let feed = ZoneFeed(zone: zone, desiredKeys: deletesMine ? nil : [])
        try await look.eachRecordPage(of: feed) {
            (records, isFirst) async throws(SweepFailure) in
            if isFirst { (mine, others) = (0, 0) }
            var (own, rest): ([Record], [Record]) = ([], [])
            for record in records {
                if try record.isMade(by: look.person) {
                    own.append(record)
                } else {
                    rest.append(record)
                }
            }
            mine += own.count
            others += rest.count
            holdsKept = holdsKept || own.contains { kept.contains($0.recordType) }
            try await look.note(
                own.map {
                    look.row(
                        .sharedRecord, zone: row.zone, type: $0.recordType,
                        name: $0.id.recordName)
                })
            if deletesMine { try await look.noteAssets(of: own, in: row.zone) }
            try await look.noteLinks(of: own, in: row.zone, others: false)
            try await look.noteLinks(of: rest, in: row.zone, others: true)
        }
        try await look.note(
            ZoneFacts(contents: deletesMine && holdsKept ? .holdsKept : .nothingKept), of: row)
        return (mine, others)
    }

    private func stays(in zone: RecordZone.ID, mine: Int, others: Int) -> CoverageRow {
        let what =
            others == 1 ? "1 record of other users stays" : "\(others) records of other users stay"
        let own =
            mine == 0 || deletesMine
            ? "" : ", and \(mine) created by the user"
        return look.remark(
            .sharedRecords, .notInScope, "\(what) with the zone's owner\(own)",
            subject: zone.words)
    }
}

extension Record {
    /// Whether a person created this record of another person's zone. A share is its owner's.
    ///
    /// - Throws: `refused` when it does not say who did: then nobody can tell what is whose.
    func isMade(by person: UserIdentity) throws(SweepFailure) -> Bool {
        guard recordType != Share.recordType else { return false }
        guard !created.userRecordName.isEmpty else {
            throw .refused(
                CloudError(
                    .unexpectedResponse, reason: "a shared record has no creator"))
        }
        return created.userRecordName == person.userRecordName
    }
}
