package import CloudModel
internal import JSON

/// The operations of a database, spelled as the path below it.
///
/// This file is the one table of them: the router, the authenticator, the grammar of faults, the
/// mock server's journal and its index page all read it, and what it says of each operation is
/// carried out here. A new operation is a case of ``CloudRead`` or ``CloudWrite``, its rows in this
/// file, its keys in the file of its resource, and its rule in the store.
package enum WireOperation: String, Sendable, CaseIterable {
    case listZones = "zones/list"
    case lookUpZones = "zones/lookup"
    case modifyZones = "zones/modify"
    case zoneListChanges = "zones/changes"
    case databaseChanges = "changes/database"
    case zoneChanges = "changes/zone"
    /// Deprecated: `changes/zone` for one zone, with its keys at the top.
    case recordChanges = "records/changes"
    case queryRecords = "records/query"
    /// Undocumented; Apple's own web apps use it.
    case queryBatch = "internal/records/query/batch"
    case lookUpRecords = "records/lookup"
    case modifyRecords = "records/modify"
    case resolveShares = "records/resolve"
    case acceptShares = "records/accept"
    case listSubscriptions = "subscriptions/list"
    case lookUpSubscriptions = "subscriptions/lookup"
    case modifySubscriptions = "subscriptions/modify"
    case uploadAssets = "assets/upload"
    case rereferenceAssets = "assets/rereference"
    case currentUser = "users/current"
    case caller = "users/caller"
    case discoverUsers = "users/discover"
    case lookUpUsersByEmail = "users/lookup/email"
    case lookUpUsersByID = "users/lookup/id"
    case lookUpContacts = "users/lookup/contacts"
    case createToken = "tokens/create"
    case registerToken = "tokens/register"
    case restrict = "users/restrict"
    case unrestrict = "users/unrestrict"

    /// Every operation but the older spelling of another.
    package static let standard = allCases.filter { $0 != .recordChanges }

    /// Whether it is asked of the device service, whose paths name no database.
    package var isOfDevices: Bool { self == .createToken || self == .registerToken }

    /// What a request must come with.
    package enum Credential: String, Sendable {
        /// In the public database an API token is enough.
        case apiToken
        /// A user's web token, or a server-to-server key for the public database.
        case user
    }

    /// What a request can name.
    package enum Name: Sendable {
        case zone
        case recordType
    }

    /// The kinds of ``CloudReply``.
    package enum Reply: String, Sendable {
        case zonePage, zones, zoneChanges, recordPage, recordPages, records, subscriptions
        case assetUploads, assets, shares, user, users, pushToken, done
    }

    /// What is known of an operation besides its path.
    package struct Facts: Sendable {
        /// The methods answered: POST for all, and GET too where it is the documented one.
        package let methods: [String]
        /// The least that a request must come with.
        package let credential: Credential
        /// Whether it changes data or access to it.
        package let isModifying: Bool
        /// Its arguments; nil without any.
        package let request: Shape?
        package let names: Set<Name>
        package let reply: Reply
        /// How the reply is spelled.
        package let answer: Shape
        /// How a refusal of the whole request is spelled.
        package let failure: Shape
        /// How long a request's body may be.
        package var bodyBytesMax: Int {
            request == nil ? WireLimits.optionsBytesMax : WireLimits.bodyBytesMax
        }

        fileprivate init(
            _ methods: String..., credential: Credential = .user, isModifying: Bool = false,
            takes request: Shape? = nil, naming names: Set<Name> = [], answers reply: Reply,
            as answer: Shape, failing failure: Shape = "Error"
        ) {
            self.methods = methods
            self.credential = credential
            self.isModifying = isModifying
            self.request = request
            self.names = names
            self.reply = reply
            self.answer = answer
            self.failure = failure
        }
    }

    /// The operation's row.
    package var facts: Facts { Self.table[self] ?? row }

    private static let table = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.row) })

    private var row: Facts {
        switch self {
        case .listZones:
            Facts(
                "GET", "POST", credential: .apiToken, takes: "ZonesListRequest",
                answers: .zonePage, as: "ZonePage")
        case .lookUpZones:
            Facts(
                "POST", credential: .apiToken, takes: "ZonesLookupRequest", naming: [.zone],
                answers: .zones, as: "Zones")
        case .modifyZones:
            Facts(
                "POST", isModifying: true, takes: "ZonesModifyRequest", naming: [.zone],
                answers: .zones, as: "Zones")
        case .zoneListChanges:
            Facts(
                "POST", takes: "ZonesChangesRequest", answers: .zonePage, as: "ZoneListChanges")
        case .databaseChanges:
            Facts("POST", takes: "DatabaseChangesRequest", answers: .zonePage, as: "ZonePage")
        case .zoneChanges:
            Facts(
                "POST", takes: "ZoneChangesRequest", naming: [.zone, .recordType],
                answers: .zoneChanges, as: "ZoneChanges")
        case .recordChanges:
            Facts(
                "POST", takes: "ZoneChangesOfZone", naming: [.zone, .recordType],
                answers: .zoneChanges, as: "RecordChanges")
        case .queryRecords:
            Facts(
                "POST", credential: .apiToken, takes: "RecordsQueryRequest",
                naming: [.zone, .recordType], answers: .recordPage, as: "RecordPage")
        case .queryBatch:
            Facts(
                "POST", takes: "RecordsQueryBatchRequest", answers: .recordPages,
                as: "RecordPages")
        case .lookUpRecords:
            Facts(
                "POST", credential: .apiToken, takes: "RecordsLookupRequest", naming: [.zone],
                answers: .records, as: "Records")
        case .modifyRecords:
            Facts(
                "POST", isModifying: true, takes: "RecordsModifyRequest",
                naming: [.zone, .recordType], answers: .records, as: "Records",
                failing: "RecordsModifyError")
        case .resolveShares:
            Facts("POST", takes: "SharesRequest", answers: .shares, as: "Shares")
        case .acceptShares:
            Facts(
                "POST", isModifying: true, takes: "SharesRequest", answers: .shares,
                as: "Shares")
        case .listSubscriptions:
            Facts("GET", "POST", answers: .subscriptions, as: "Subscriptions")
        case .lookUpSubscriptions:
            Facts(
                "POST", takes: "SubscriptionsLookupRequest", answers: .subscriptions,
                as: "Subscriptions")
        case .modifySubscriptions:
            Facts(
                "POST", isModifying: true, takes: "SubscriptionsModifyRequest",
                naming: [.zone, .recordType], answers: .subscriptions, as: "Subscriptions")
        case .uploadAssets:
            Facts(
                "POST", isModifying: true, takes: "AssetsUploadRequest",
                naming: [.zone, .recordType], answers: .assetUploads, as: "AssetUploads")
        case .rereferenceAssets:
            Facts(
                "POST", isModifying: true, takes: "AssetsRereferenceRequest", naming: [.zone],
                answers: .assets, as: "RereferencedAssets")
        case .currentUser: Facts("GET", "POST", answers: .user, as: "User")
        case .caller: Facts("GET", "POST", answers: .user, as: "Caller")
        case .discoverUsers:
            Facts(
                "GET", "POST", takes: "UsersDiscoverRequest", answers: .users,
                as: "UserIdentities")
        case .lookUpUsersByEmail:
            Facts("POST", takes: "UsersByEmailRequest", answers: .users, as: "Users")
        case .lookUpUsersByID:
            Facts("POST", takes: "UsersByIDRequest", answers: .users, as: "Users")
        case .lookUpContacts: Facts("GET", "POST", answers: .users, as: "UserIdentities")
        case .createToken:
            Facts(
                "POST", isModifying: true, takes: "TokenCreateRequest", answers: .pushToken,
                as: "PushToken")
        case .registerToken:
            Facts(
                "POST", isModifying: true, takes: "TokenRegisterRequest", answers: .pushToken,
                as: "PushToken")
        case .restrict, .unrestrict:
            Facts("GET", "POST", isModifying: true, answers: .done, as: "Done")
        }
    }

    /// The operation that `command` is sent as.
    package init(_ command: CloudCommand) {
        guard let operation = Self(rawValue: command.operationPath) else {
            preconditionFailure("there is no operation \(command.operationPath)")
        }
        self = operation
    }
}

extension CommandDecoder {
    /// The command of an operation, its arguments read from the body.
    func command(
        _ operation: WireOperation, _ root: JSONValue
    ) throws(ShapeError) -> CloudCommand {
        switch operation {
        case .listZones: .read(.listZones(token: try root.token("syncToken")))
        case .lookUpZones: .read(.lookUpZones(try zoneLookups(root)))
        case .modifyZones: .write(.modifyZones(try zoneOperations(root)))
        case .zoneListChanges:
            .read(
                .zoneListChanges(
                    token: try root.token("metaSyncToken"),
                    limit: try root.positive("resultsLimit")))
        case .databaseChanges:
            .read(
                .databaseChanges(
                    token: try root.token("syncToken"),
                    limit: try root.positive("resultsLimit")))
        case .zoneChanges: .read(.zoneChanges(try zoneChanges(root)))
        case .recordChanges: .read(.zoneChanges([try zoneChange(root, defaults: root)]))
        case .queryRecords: .read(.queryRecords(try recordQuery(root)))
        case .queryBatch: .read(.queryBatch(try queryBatch(root)))
        case .lookUpRecords: .read(.lookUpRecords(try recordLookup(root)))
        case .modifyRecords: .write(.modifyRecords(try recordModify(root)))
        case .resolveShares: .read(.resolveShares(try shareLookups(root)))
        case .acceptShares: .write(.acceptShares(try shareLookups(root)))
        case .listSubscriptions: .read(.listSubscriptions)
        case .lookUpSubscriptions: .read(.lookUpSubscriptions(try subscriptionLookups(root)))
        case .modifySubscriptions: .write(.modifySubscriptions(try subscriptionOperations(root)))
        case .uploadAssets: .write(.uploadAssets(try assetUpload(root)))
        case .rereferenceAssets: .write(.rereferenceAssets(try assetRereference(root)))
        case .currentUser: .read(.currentUser)
        case .caller: .read(.caller)
        case .discoverUsers: .read(.discoverUsers(try lookupInfos(root)))
        case .lookUpUsersByEmail:
            .read(.lookUpUsersByEmail(try userLookups("emailAddress", root)))
        case .lookUpUsersByID: .read(.lookUpUsersByID(try userLookups("userRecordName", root)))
        case .lookUpContacts: .read(.lookUpContacts)
        case .createToken: .write(try tokenCreation(root))
        case .registerToken: .write(.registerToken(try pushToken(root)))
        case .restrict: .write(.restrict)
        case .unrestrict: .write(.unrestrict)
        }
    }
}

extension JSONWriter {
    /// The keys of a command's body.
    mutating func arguments(of command: CloudCommand) {
        switch command {
        case .read(let request): arguments(of: request)
        case .write(let request): arguments(of: request)
        }
    }

    private mutating func arguments(of request: CloudRead) {
        switch request {
        case .listZones(let token): member("syncToken", token?.rawValue)
        case .lookUpZones(let zoneIDs): array("zones", zoneIDs) { $0.zone($1) }
        case .zoneListChanges(let token, let limit):
            member("metaSyncToken", token?.rawValue)
            member("resultsLimit", limit)
        case .databaseChanges(let token, let limit):
            member("syncToken", token?.rawValue)
            member("resultsLimit", limit)
        case .zoneChanges(let requests): array("zones", requests) { $0.zoneChange($1) }
        case .queryRecords(let request): recordQuery(request)
        case .queryBatch(let requests):
            array("batch", requests) { json, request in json.object { $0.recordQuery(request) } }
        case .lookUpRecords(let request): recordLookup(request)
        case .resolveShares(let lookups): shareLookups(lookups)
        case .lookUpSubscriptions(let names):
            array("subscriptions", names) { json, name in
                json.object { $0.member("subscriptionID", name) }
            }
        case .discoverUsers(let infos):
            if let infos { array("lookupInfos", infos) { $0.lookupInfo($1) } }
        case .lookUpUsersByEmail(let addresses):
            array("users", addresses) { $0.lookupInfo(.emailAddress($1)) }
        case .lookUpUsersByID(let names):
            array("users", names) { $0.lookupInfo(.userRecordName($1)) }
        case .listSubscriptions, .currentUser, .caller, .lookUpContacts: break
        }
    }

    private mutating func arguments(of request: CloudWrite) {
        switch request {
        case .modifyZones(let operations):
            array("operations", operations) { $0.zoneOperation($1) }
        case .modifyRecords(let request): recordModify(request)
        case .acceptShares(let lookups): shareLookups(lookups)
        case .modifySubscriptions(let operations):
            array("operations", operations) { $0.subscriptionOperation($1) }
        case .uploadAssets(let request): assetUpload(request)
        case .rereferenceAssets(let request): assetRereference(request)
        case .createToken(let environment, let clientID):
            member("apnsEnvironment", environment.rawValue)
            member("clientId", clientID)
        case .registerToken(let token): pushToken(token)
        case .restrict, .unrestrict: break
        }
    }
}

extension AnswerReader {
    /// The reply; nil when the answer has no items.
    func reply() throws(ShapeError) -> CloudReply? {
        switch command {
        case .read(let request): try reply(to: request)
        case .write(let request): try reply(to: request)
        }
    }

    private func reply(to request: CloudRead) throws(ShapeError) -> CloudReply? {
        switch request {
        case .listZones, .databaseChanges: try zonePage(token: "syncToken")
        case .zoneListChanges: try zonePage(token: "metaSyncToken")
        case .lookUpZones(let ids): try zoneLookup(ids)
        case .zoneChanges(let requests): try zoneChanges(requests)
        case .queryRecords(let request): try recordPage(request)
        case .queryBatch(let requests): try queryBatch(requests)
        case .lookUpRecords(let request): try recordLookup(request)
        case .resolveShares(let lookups): try shareResults(lookups)
        case .listSubscriptions: try subscriptionList()
        case .lookUpSubscriptions(let ids): try subscriptionLookup(ids)
        case .currentUser, .caller: .user(try user())
        case .discoverUsers, .lookUpContacts: try userList()
        case .lookUpUsersByEmail(let addresses):
            try userLookup(addresses.map { .emailAddress($0) })
        case .lookUpUsersByID(let names): try userLookup(names.map { .userRecordName($0) })
        }
    }

    private func reply(to request: CloudWrite) throws(ShapeError) -> CloudReply? {
        switch request {
        case .modifyZones(let operations): try zoneModify(operations)
        case .modifyRecords(let request): try recordModify(request)
        case .acceptShares(let lookups): try shareResults(lookups)
        case .modifySubscriptions(let operations): try subscriptionModify(operations)
        case .uploadAssets(let request): try assetUploads(request)
        case .rereferenceAssets(let request): try assetRereferences(request)
        case .createToken, .registerToken: .pushToken(try pushToken())
        case .restrict, .unrestrict: .done
        }
    }
}
