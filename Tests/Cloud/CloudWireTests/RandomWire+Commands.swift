import CloudModel

extension RandomWire {
    /// - Parameter owned: Whether every zone names its owner, so that replies can repeat it.
    mutating func command(owned: Bool = false) -> CloudCommand {
        switch below(23) {
        case 0: .read(.listZones(token: maybe { $0.token() }))
        case 1: .read(.lookUpZones(some(0...5) { $0.zoneID(owned: owned) }))
        case 2:
            .write(
                .modifyZones(
                    some(0...5) {
                        let id = RecordZone.ID($0.name(), ownerRecordName: owned ? $0.owner() : nil)
                        return $0.chance(50) ? .create(id) : .delete(id)
                    }))
        case 3:
            .read(.zoneListChanges(token: maybe { $0.token() }, limit: maybe { 1 + $0.below(500) }))
        case 4:
            .read(.databaseChanges(token: maybe { $0.token() }, limit: maybe { 1 + $0.below(500) }))
        case 5: .read(.zoneChanges(some(0...4) { $0.zoneChange(owned: owned) }))
        case 6: .read(.queryRecords(recordQuery(owned: owned)))
        case 7:
            .read(
                .lookUpRecords(
                    RecordLookupRequest(
                        recordNames: names(), zoneID: zoneID(owned: owned),
                        desiredKeys: maybe { $0.names() })))
        case 8, 9, 10: .write(.modifyRecords(recordModify(owned: owned)))
        case 11: .read(.listSubscriptions)
        case 12: .read(.lookUpSubscriptions(names()))
        case 13:
            .write(
                .modifySubscriptions(
                    some(0...4) { make in
                        switch make.below(3) {
                        case 0: return .create(make.subscription())
                        case 1: return .update(make.subscription())
                        default: return .delete(make.name())
                        }
                    }))
        case 14:
            .write(
                .uploadAssets(
                    AssetUploadRequest(
                        some(0...4) { make in
                            AssetUploadRequest.Token(
                                recordType: make.name(), fieldName: make.name(),
                                recordName: make.maybe { $0.name() })
                        }, zoneID: zoneID(owned: owned))))
        case 15:
            .write(
                .rereferenceAssets(
                    AssetRereferenceRequest(
                        some(0...4) { AssetField($0.name(), $0.name()) },
                        zoneID: zoneID(owned: owned))))
        case 16: pick([.read(.currentUser), .read(.caller)])
        case 17:
            switch below(4) {
            case 0: .read(.discoverUsers(maybe { $0.some(0...4) { $0.lookupInfo() } }))
            case 1: .read(.lookUpUsersByEmail(names()))
            case 2: .read(.lookUpUsersByID(names()))
            default: .read(.lookUpContacts)
            }
        case 18: .read(.resolveShares(some(0...4) { $0.shareLookup() }))
        case 19: .write(.acceptShares(some(0...4) { $0.shareLookup() }))
        case 20:
            .write(
                chance(50)
                    ? .createToken(
                        pick(PushToken.Environment.allCases), clientID: chance(50) ? "id" : nil)
                    : .registerToken(PushToken("dG9rZW4=", pick(PushToken.Environment.allCases))))
        case 21: .read(.queryBatch(some(0...3) { $0.recordQuery(owned: owned) }))
        default: pick([.write(.restrict), .write(.unrestrict)])
        }
    }

    mutating func lookupInfo() -> UserIdentity.LookupInfo {
        switch below(3) {
        case 0: .emailAddress(text())
        case 1: .phoneNumber(text())
        default: .userRecordName(text())
        }
    }

    private mutating func zoneChange(owned: Bool) -> ZoneChangesRequest {
        ZoneChangesRequest(
            zoneID: RecordZone.ID(name(), ownerRecordName: owned ? owner() : nil),
            token: maybe { $0.token() }, limit: maybe { 1 + $0.below(500) },
            desiredKeys: maybe { $0.names() }, desiredRecordTypes: maybe { $0.names() },
            reverse: chance(30))
    }

    private mutating func recordQuery(owned: Bool) -> RecordQueryRequest {
        RecordQueryRequest(
            query: query(), zoneID: maybe { $0.zoneID(owned: owned) }, zoneWide: chance(50),
            limit: maybe { 1 + $0.below(500) }, continuationMarker: maybe { $0.text() },
            desiredKeys: maybe { $0.names() })
    }

    private mutating func recordModify(owned: Bool) -> RecordModifyRequest {
        RecordModifyRequest(
            operations: some(0...6) { $0.recordOperation(owned: owned) },
            zoneID: zoneID(owned: owned), atomic: chance(50), desiredKeys: maybe { $0.names() })
    }

    private mutating func recordOperation(owned: Bool) -> RecordOperation {
        let kind = pick(RecordOperation.Kind.allCases)
        var operation = RecordOperation(kind, recordName: name())
        operation.zoneID = chance(20) ? zoneID(owned: owned) : nil
        operation.recordChangeTag = maybe { $0.text() }
        if kind.isDelete { return operation }
        if kind == .create, chance(30) { operation.recordName = nil }
        if !(kind == .update || kind == .replace) || chance(50) { operation.recordType = name() }
        operation.desiredKeys = maybe { $0.names() }
        operation.parent = maybe { $0.reference() }
        for name in names() { operation.fields.updateValue(requestField(), forKey: name) }
        operation.createsShortGUID = chance(20)
        operation.share = shareChange()
        return operation
    }

    private mutating func shareLookup() -> ShareLookup {
        ShareLookup(
            name(), fetchesRoot: chance(50), rootDesiredKeys: maybe { $0.names() })
    }

    private mutating func shareChange() -> Share.Change? {
        let change = Share.Change(
            root: maybe { make in
                Share.Change.Root(make.name(), recordChangeTag: make.maybe { $0.name() })
            },
            publicPermission: maybe { $0.pick([.none, .readOnly, .readWrite]) },
            participants: maybe { make in make.some(0...4) { $0.requestedParticipant() } })
        return change == Share.Change() ? nil : change
    }

    private mutating func requestedParticipant() -> ShareParticipant {
        var person = participant()
        if person.permission == .unknown { person.permission = .none }
        return person
    }

    mutating func participant() -> ShareParticipant {
        ShareParticipant(
            participantID: maybe { $0.name() },
            identity: UserIdentity(
                userRecordName: owner(),
                nameComponents: NameComponents(
                    givenName: maybe { $0.text() }, familyName: maybe { $0.text() }),
                lookupInfo: maybe { $0.lookupInfo() }),
            role: pick(ShareParticipant.Role.allCases),
            permission: pick(Share.Permission.allCases),
            acceptance: pick(ShareParticipant.Acceptance.allCases))
    }
}
