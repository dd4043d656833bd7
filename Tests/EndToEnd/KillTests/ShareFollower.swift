import CloudModel

/// One person's device at one zone: what it has been told since it last looked, page by page.
struct ShareFollower {
    private var token: ChangeToken?
    private(set) var copy: [String: Record] = [:]

    /// Catches up with a zone's feed, anew where its token is too old.
    ///
    /// - Returns: Whether the zone is there.
    mutating func follow(
        _ zone: RecordZone.ID, in database: some CloudDatabase
    ) async throws -> Bool {
        // So many pages are more than a zone of these tests has.
        for _ in 0..<1_000 {
            let request = ZoneChangesRequest(zoneID: zone, token: token, limit: 7)
            switch try await database.zoneChanges([request]).first {
            case .failure(_, let error) where error.code == .zoneNotFound:
                self = ShareFollower()
                return false
            case .failure(_, let error) where error.code == .badRequest && token != nil:
                self = ShareFollower()
            case .failure(_, let error): throw error
            case .page(let page):
                for item in page.records {
                    switch item {
                    case .record(let record): copy[record.id.recordName] = record
                    case .deleted(let name, _): copy[name] = nil
                    case .failure(_, let error): throw error
                    }
                }
                token = page.token
                if !page.moreComing { return true }
            case nil: throw KillTestError("no answer for the zone")
            }
        }
        throw KillTestError("the feed does not end")
    }

    /// What the device shows.
    ///
    /// - Parameter guests: By user record name.
    func view(_ guests: [String: String]) -> ShareState.View {
        copy.mapValues { record in
            guard let sharing = record.sharing else {
                return ShareState.text(
                    parent: record.parent?.recordName, share: record.share?.recordName)
            }
            var people: [String: ShareState.Guest] = [:]
            for person in sharing.participants where person.role != .owner {
                let name = person.identity.userRecordName
                people[guests[name] ?? name] = ShareState.Guest(
                    hasAccepted: person.acceptance == .accepted,
                    writes: person.permission == .readWrite)
            }
            return ShareState.text(people)
        }
    }
}
