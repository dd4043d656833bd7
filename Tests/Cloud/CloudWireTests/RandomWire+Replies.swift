import CloudModel

extension RandomWire {
    private static let serviceCodes = CloudError.Code.allCases.filter(\.isServiceCode)

    mutating func itemError() -> CloudError {
        let words = RecordZone.DeletionReason.allCases.map(\.errorReason)
        return CloudError(
            pick(Self.serviceCodes),
            reason: pick(["", "Record not found", "é \"quoted\""] + words),
            retryAfter: maybe { .milliseconds($0.below(200_000)) },
            redirectURL: chance(10) ? "https://localhost/auth?a=b" : nil)
    }

    private mutating func stamp() -> Record.Stamp {
        Record.Stamp(timestamp: timestamp(), userRecordName: owner(), deviceID: text())
    }

    private mutating func record(
        _ recordName: String, _ zoneID: RecordZone.ID, type: String? = nil
    ) -> Record.Item {
        var record = Record(
            id: Record.ID(recordName, zoneID: zoneID), recordType: type ?? name(),
            recordChangeTag: text(), created: stamp(), modified: stamp())
        for name in names() { record.fields[name] = typedField(owned: true) }
        record.parent = maybe { $0.reference(owned: true) }
        record.share = chance(10) ? reference(owned: true) : nil
        record.shortGUID = maybe { $0.name() }
        record.sharing = chance(20) ? share() : nil
        return .record(record)
    }

    private mutating func share() -> Share {
        Share(
            publicPermission: pick(Share.Permission.allCases),
            participants: some(0...4) { $0.participant() }, owner: maybe { $0.participant() },
            currentUser: maybe { $0.participant() })
    }

    private mutating func shareMetadata(_ lookup: ShareLookup) -> ShareMetadata.Item {
        if chance(30) { return .failure(shortGUID: lookup.shortGUID, itemError()) }
        let owner = owner()
        let zoneID = RecordZone.ID(name(), ownerRecordName: owner)
        var metadata = ShareMetadata(
            lookup: lookup, container: Self.container,
            environment: pick(Container.Environment.allCases), scope: pick([.private, .shared]),
            zoneID: zoneID, owner: UserIdentity(userRecordName: owner), role: pick(Self.roles),
            permission: pick(Share.Permission.allCases), acceptance: .accepted)
        if chance(50), case .record(let root) = record(name(), zoneID) {
            (metadata.rootRecordName, metadata.rootRecord) = (root.id.recordName, root)
        }
        if chance(50), case .record(let share) = record(name(), zoneID, type: Share.recordType) {
            metadata.share = share
        }
        return .metadata(metadata)
    }
    private static let roles = ShareParticipant.Role.allCases
    private static let container =
        Container.ID("iCloud.com.example.random") ?? { preconditionFailure("malformed") }()

    private mutating func zoneItem(_ id: RecordZone.ID, _ choices: ClosedRange<Int>)
        -> RecordZone.Item
    {
        switch choices.lowerBound + below(choices.count) {
        case 0:
            .zone(RecordZone(id: id, isAtomic: chance(50), syncToken: maybe { $0.filledToken() }))
        case 1: .failure(id, itemError())
        default: .deleted(id, reason: pick(RecordZone.DeletionReason.allCases))
        }
    }

    private mutating func zonePage(_ choices: ClosedRange<Int>) -> CloudReply {
        let token = maybe { $0.filledToken() }
        return .zonePage(
            ZonePage(
                zones: some(0...5) { $0.zoneItem($0.zoneID(owned: true), choices) },
                token: token, moreComing: token != nil && chance(50)))
    }

    /// A reply that fits `command`, whose zones all name their owner.
    mutating func reply(to command: CloudCommand) -> CloudReply {
        switch command {
        case .read(.listZones): return zonePage(0...0)
        case .read(.zoneListChanges), .read(.databaseChanges): return zonePage(0...2)
        case .read(.lookUpZones(let ids)): return .zones(ids.map { zoneItem($0, 0...1) })
        case .write(.modifyZones(let operations)):
            return .zones(
                operations.map {
                    if case .create(let id) = $0 {
                        zoneItem(id, 0...1)
                    } else {
                        zoneItem($0.id, 1...2)
                    }
                })
        case .read(.zoneChanges(let requests)):
            return .zoneChanges(requests.map { zoneChanges($0.zoneID) })
        case .read(.queryRecords(let request)): return .recordPage(recordPage(request))
        case .read(.queryBatch(let requests)):
            return .recordPages(
                requests.map { chance(20) ? .failure(itemError()) : .page(recordPage($0)) })
        case .read(.lookUpRecords(let request)):
            return .records(
                RecordsReply(
                    records: request.recordNames.map { name in
                        chance(30)
                            ? .failure(recordName: name, itemError()) : record(name, request.zoneID)
                    }, token: maybe { $0.filledToken() }))
        case .write(.modifyRecords(let request)): return .records(modified(request))
        case .read(.resolveShares(let lookups)), .write(.acceptShares(let lookups)):
            return .shares(lookups.map { shareMetadata($0) })
        case .read(.listSubscriptions):
            return .subscriptions(some(0...5) { .subscription($0.subscription(owned: true)) })
        case .read(.lookUpSubscriptions(let ids)):
            return .subscriptions(ids.map { subscriptionItem($0) })
        case .write(.modifySubscriptions(let operations)):
            return .subscriptions(
                operations.map { operation in
                    switch operation {
                    case .create(let made), .update(let made): subscriptionItem(made.subscriptionID)
                    case .delete(let id): chance(30) ? .failure(id, itemError()) : .deleted(id)
                    }
                })
        case .read(.currentUser), .read(.caller):
            return .user(
                UserIdentity(
                    userRecordName: owner(), givenName: maybe { $0.text() },
                    familyName: maybe { $0.text() }))
        case .read(.discoverUsers(let infos)):
            return .users((infos ?? []).filter { _ in chance(70) }.map { .user(identity($0)) })
        case .read(.lookUpContacts):
            return .users(some(0...4) { .user($0.identity($0.maybe { $0.lookupInfo() })) })
        case .read(.lookUpUsersByEmail(let addresses)):
            return .users(addresses.map { userItem(.emailAddress($0)) })
        case .read(.lookUpUsersByID(let names)):
            return .users(names.map { userItem(.userRecordName($0)) })
        case .write(.uploadAssets(let request)):
            return .assetUploads(
                request.tokens.map { token in
                    let field = AssetField(token.recordName ?? name(), token.fieldName)
                    return chance(30)
                        ? .failure(field, itemError()) : .address(field, url: "https://" + name())
                })
        case .write(.rereferenceAssets(let request)):
            return .assets(
                request.fields.map { field in
                    chance(30) ? .failure(field, itemError()) : .asset(field, asset())
                })
        case .write(.createToken(let environment, _)):
            return .pushToken(PushToken("dG9rZW4=", environment, courierURL: "https://localhost/"))
        case .write(.registerToken(let token)): return .pushToken(token)
        case .write(.restrict), .write(.unrestrict): return .done
        }
    }

    private mutating func recordPage(_ request: RecordQueryRequest) -> RecordPage {
        let isZoneWide = request.zoneWide && request.zoneID == nil
        return RecordPage(
            records: some(0...5) { make in
                let name = make.name()
                if make.chance(10) { return .failure(recordName: name, make.itemError()) }
                var zoneID = request.zoneID ?? .default
                if isZoneWide { zoneID = make.zoneID(owned: true) }
                if zoneID.ownerRecordName == nil {
                    zoneID = RecordZone.ID(zoneID.zoneName, ownerRecordName: make.owner())
                }
                return make.record(name, zoneID, type: request.query.recordType)
            }, continuationMarker: maybe { $0.text() },
            token: maybe { $0.filledToken() })
    }

    private mutating func identity(_ info: UserIdentity.LookupInfo?) -> UserIdentity {
        var names = NameComponents()
        for (_, path) in NameComponents.parts { names[keyPath: path] = maybe { $0.text() } }
        return UserIdentity(userRecordName: owner(), nameComponents: names, lookupInfo: info)
    }

    /// A user dictionary has two names, and the address that was asked for.
    private mutating func userItem(_ info: UserIdentity.LookupInfo) -> UserIdentity.Item {
        if chance(30) { return .failure(info, itemError()) }
        var user = UserIdentity(
            userRecordName: owner(), givenName: maybe { $0.text() },
            familyName: maybe { $0.text() })
        switch info {
        case .userRecordName(let name): user.userRecordName = name
        case .emailAddress, .phoneNumber: user.lookupInfo = info
        }
        return .user(user)
    }

    private mutating func subscriptionItem(_ id: String) -> Subscription.Item {
        if chance(30) { return .failure(id, itemError()) }
        var made = subscription(owned: true)
        made.subscriptionID = id
        return .subscription(made)
    }

    private mutating func zoneChanges(_ zoneID: RecordZone.ID) -> ZoneChangesItem {
        if chance(20) { return .failure(zoneID, itemError()) }
        return .page(
            ZoneChangesPage(
                zoneID: zoneID,
                records: some(0...5) { make in
                    let name = make.name()
                    switch make.below(3) {
                    case 0:
                        return .deleted(
                            recordName: name, recordChangeTag: make.maybe { $0.text() })
                    case 1: return .failure(recordName: name, make.itemError())
                    default: return make.record(name, zoneID)
                    }
                }, token: filledToken(), moreComing: chance(50)))
    }

    private mutating func modified(_ request: RecordModifyRequest) -> RecordsReply {
        if !request.operations.isEmpty, chance(20) {
            // Not one item of a batch that failed is stored.
            let culprit = below(request.operations.count)
            return RecordsReply(
                records: request.operations.enumerated().map { index, operation in
                    .failure(
                        recordName: operation.recordName ?? name(),
                        index == culprit && request.operations.count > 1
                            ? itemError() : CloudError(.atomicError))
                }, token: maybe { $0.filledToken() }, failedAtomically: true)
        }
        return RecordsReply(
            records: request.operations.map { operation in
                let recordName = operation.recordName ?? name()
                if chance(20) {
                    // ATOMIC_ERROR would say that nothing of the batch was stored.
                    let error = itemError()
                    let code = error.code == .atomicError ? .conflict : error.code
                    return .failure(
                        recordName: recordName,
                        CloudError(
                            code, reason: error.reason, retryAfter: error.retryAfter,
                            redirectURL: error.redirectURL))
                }
                if operation.kind.isDelete {
                    return .deleted(recordName: recordName, recordChangeTag: nil)
                }
                return record(recordName, operation.zoneID ?? request.zoneID)
            }, token: maybe { $0.filledToken() })
    }
}
