import CloudModel

/// Ada and her guests at one server, as programs of theirs.
struct ShareClient<Cloud: CloudDatabase> {
    /// What each sees zones in: Ada her own, guests what is shared with them.
    private let databases: [String: Cloud]
    /// Where shares are accepted.
    private let lobbies: [String: Cloud]
    private(set) var recordNames: [String: String] = [:]

    /// - Parameter open: The database of a scope that somebody opens.
    init(_ open: (Database.Scope, String) throws -> Cloud) async throws {
        let people = [ShareState.owner] + ShareState.guests
        databases = try people.reduce(into: [:]) {
            $0[$1] = try open($1 == ShareState.owner ? .private : .shared, $1)
        }
        lobbies = try people.reduce(into: [:]) { $0[$1] = try open(.public, $1) }
        for (name, lobby) in lobbies {
            recordNames[name] = try await lobby.caller().userRecordName
        }
    }

    func database(of person: String) throws -> Cloud {
        guard let database = databases[person] else { throw KillTestError("nobody: \(person)") }
        return database
    }

    /// The guests by user record name.
    var guests: [String: String] {
        var guests: [String: String] = [:]
        for (name, recordName) in recordNames where name != ShareState.owner {
            guests[recordName] = name
        }
        return guests
    }

    /// Ada's zone as somebody names it.
    func zone(_ name: String, for person: String) -> RecordZone.ID {
        RecordZone.ID(
            name, ownerRecordName: person == ShareState.owner ? nil : recordNames["ada"])
    }

    /// The live zones in the feed of somebody's database.
    func zones(of person: String) async throws -> Set<String> {
        var (names, token): (Set<String>, ChangeToken?) = ([], nil)
        while true {
            let page = try await database(of: person).databaseChanges(since: token)
            for case .zone(let zone) in page.zones { names.insert(zone.id.zoneName) }
            token = page.token
            guard page.moreComing else { return names }
        }
    }

    // MARK: - Steps

    /// Does one thing, and says what was refused; throws where nobody answers.
    func perform(
        _ step: ShareState.Step, _ zone: String, root: (String) -> String?
    ) async throws -> CloudError? {
        switch step {
        case .share(let name, let people):
            var operation = RecordOperation(
                .create, recordName: name, recordType: Share.recordType)
            operation.share = Share.Change(participants: participants(people))
            if let root = root(name) {
                let tag = try await record(root, zone)?.recordChangeTag
                operation.share?.root = Share.Change.Root(root, recordChangeTag: tag)
            }
            return try await modify(operation, zone, by: ShareState.owner)
        case .invite(let name, let people):
            var operation = RecordOperation(
                .update, recordName: name, recordType: Share.recordType,
                recordChangeTag: try await record(name, zone)?.recordChangeTag ?? "none")
            operation.share = Share.Change(participants: participants(people))
            return try await modify(operation, zone, by: ShareState.owner)
        case .accept(let name, let guest):
            guard let guid = try await record(name, zone)?.shortGUID, let lobby = lobbies[guest],
                case .shares(let items) = try await lobby.write(
                    .acceptShares([ShareLookup(guid)])),
                let item = items.first
            else { return CloudError(.unknown, reason: "\(name) has no short GUID") }
            guard case .failure(_, let error) = item else { return nil }
            return error
        case .leave(let name, let guest):
            return try await modify(.forceDelete(name), zone, by: guest)
        case .stop(let name), .remove(let name):
            return try await modify(.forceDelete(name), zone, by: ShareState.owner)
        case .add(let name, let root, let person):
            let operation = RecordOperation(
                .create, recordName: name, recordType: "Note",
                parent: Record.Reference(root))
            return try await modify(operation, zone, by: person)
        }
    }

    private func participants(_ people: [String: ShareState.Guest]) -> [ShareParticipant] {
        people.sorted { $0.key < $1.key }.map { name, guest in
            ShareParticipant(
                identity: UserIdentity(userRecordName: recordNames[name] ?? name),
                permission: guest.writes ? .readWrite : .readOnly)
        }
    }

    private func record(_ name: String, _ zone: String) async throws -> Record? {
        let request = RecordLookupRequest(recordNames: [name], zoneID: RecordZone.ID(zone))
        let items = try await database(of: ShareState.owner).records(for: request).records
        guard case .record(let record)? = items.first else { return nil }
        return record
    }

    private func modify(
        _ operation: RecordOperation, _ zone: String, by person: String
    ) async throws -> CloudError? {
        let request = RecordModifyRequest(
            operations: [operation], zoneID: self.zone(zone, for: person))
        let items = try await database(of: person).modifyRecords(request).records
        guard case .failure(_, let error)? = items.first else { return nil }
        return error
    }
}
