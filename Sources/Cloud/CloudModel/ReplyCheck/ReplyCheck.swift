/// Holds a reply against the request that it answers, as values: the same rules in process, behind
/// the wire codec and behind TLS.
///
/// A reply that fails is not what was asked for, and nothing of it may be believed: neither that
/// something is there nor that it is gone. Whether the *contents* are true cannot be told here.
package struct ReplyCheck {
    /// Records in one page of a query, or of one zone's changes: the service's own limit.
    package static let recordsMax = 200
    /// Zones or subscriptions in one page. Ours: twenty times what a page is known to hold.
    package static let listMax = 20_000
    /// UTF-16 units of a name: of a zone, an owner, a record, a record type. The documentation says ASCII; the
    /// framework accepts any text of this length, and apps have stored such names.
    package static let nameUnitsMax = 255
    /// Bytes of a subscription's identifier. Ours: no limit is published.
    package static let subscriptionBytesMax = 1024

    /// The database that was asked; nil when it is not known.
    let scope: Database.Scope?
    /// The signed-in person's user record name; nil when it is not known.
    let person: String?

    /// Checks the answer to a request that changed nothing.
    ///
    /// - Parameters:
    ///   - scope: The database that was asked; nil leaves out what holds for one scope only.
    ///   - person: The signed-in person's user record name: zones of a private database must be
    ///     theirs, or name no owner.
    /// - Throws: `unexpectedResponse`. The reason says what does not fit and names no zone, record
    ///   or person.
    package static func check(
        _ reply: CloudReply, answers request: CloudRead, in scope: Database.Scope?,
        for person: String? = nil
    ) throws(CloudError) {
        try check(reply, answers: .read(request), in: scope, for: person)
    }

    /// Checks the answer to a request that changed something.
    ///
    /// What has an answer of its own kind counts; an item of another kind, such as a live record
    /// for one to be deleted, makes the whole answer fail.
    ///
    /// - Throws: `unexpectedResponse`, as above. The request may have been carried out.
    package static func check(
        _ reply: CloudReply, answers request: CloudWrite, in scope: Database.Scope?,
        for person: String? = nil
    ) throws(CloudError) {
        try check(reply, answers: .write(request), in: scope, for: person)
    }

    /// Checks the answer to a request of either kind.
    package static func check(
        _ reply: CloudReply, answers command: CloudCommand, in scope: Database.Scope?,
        for person: String? = nil
    ) throws(CloudError) {
        let check = ReplyCheck(scope: scope, person: person)
        do throws(Mismatch) {
            switch command {
            case .read(let request): try check.compare(reply, request)
            case .write(let request): try check.compare(reply, request)
            }
        } catch {
            throw error.cloudError(command.operationPath)
        }
    }

    /// What does not fit, in words that hold no name.
    struct Mismatch: Error {
        let reason: StaticString

        init(_ reason: StaticString) { self.reason = reason }

        func cloudError(_ operation: String) -> CloudError {
            CloudError(.unexpectedResponse, reason: "the response to \(operation) \(reason)")
        }

        static let otherKind = Mismatch("has another shape")
        static let otherCount = Mismatch("has another number of items than were requested")
        static let notAsked = Mismatch("has an item that was not requested")
        static let tooMany = Mismatch("has more items than one response can have")
        static let noName = Mismatch("has an item with an empty or too long name")
        static let twice = Mismatch("has the same item twice")
        static let tombstone = Mismatch("has a deleted item where none is possible")
        static let errorItem = Mismatch("has a failed item where none is possible")
        static let otherOutcome = Mismatch("has an item that does not confirm the request")
        static let otherZone = Mismatch("has a record of another zone")
        static let otherType = Mismatch("has a record of another type")
        static let otherCreator = Mismatch("has a record of another creator")
        static let otherOwner = Mismatch("has a zone of another owner")
        static let noOwner = Mismatch("has a shared zone without its owner")
        static let emptyToken = Mismatch("has an empty token")
        static let noAddress = Mismatch("has an asset without its address or checksum")
        static let noToken = Mismatch("has more pages, but does not say where")
    }

    private func compare(_ reply: CloudReply, _ request: CloudRead) throws(Mismatch) {
        switch request {
        case .listZones: try checkList(try reply.zonePage())
        case .databaseChanges, .zoneListChanges: try checkChanges(try reply.zonePage())
        case .lookUpZones(let ids):
            guard case .zones(let items) = reply else { throw .otherKind }
            try check(items, lookedUp: ids)
        case .zoneChanges(let requests):
            guard case .zoneChanges(let items) = reply else { throw .otherKind }
            try check(items, requests)
        case .queryRecords(let request):
            guard case .recordPage(let page) = reply else { throw .otherKind }
            try check(page, request)
        case .queryBatch(let requests):
            guard case .recordPages(let items) = reply else { throw .otherKind }
            try checkCount(items.count, requests.count)
            for case (.page(let page), let request) in zip(items, requests) {
                try check(page, request)
            }
        case .lookUpRecords(let request):
            guard case .records(let found) = reply else { throw .otherKind }
            try check(found, request)
        case .listSubscriptions: try checkList(try reply.subscriptions())
        case .lookUpSubscriptions(let ids): try check(try reply.subscriptions(), lookedUp: ids)
        case .currentUser, .caller:
            guard case .user(let user) = reply else { throw .otherKind }
            try checkName(user.userRecordName)
        case .discoverUsers(let infos): try check(try reply.users(), discoveredBy: infos)
        case .lookUpContacts: try check(try reply.users(), discoveredBy: nil)
        case .lookUpUsersByEmail(let addresses):
            try check(try reply.users(), lookedUp: addresses.map { .emailAddress($0) })
        case .lookUpUsersByID(let names):
            try check(try reply.users(), lookedUp: names.map { .userRecordName($0) })
        case .resolveShares(let lookups):
            guard case .shares(let items) = reply else { throw .otherKind }
            try check(items, lookups, accepted: false)
        }
    }

    private func compare(_ reply: CloudReply, _ request: CloudWrite) throws(Mismatch) {
        switch (request, reply) {
        case (.modifyZones(let operations), .zones(let items)): try check(items, operations)
        case (.modifyRecords(let request), .records(let changed)): try check(changed, request)
        case (.acceptShares(let lookups), .shares(let items)):
            try check(items, lookups, accepted: true)
        case (.modifySubscriptions(let operations), .subscriptions(let items)):
            try check(items, operations)
        case (.uploadAssets(let request), .assetUploads(let items)): try check(items, request)
        case (.rereferenceAssets(let request), .assets(let items)): try check(items, request)
        case (.createToken(let environment, _), .pushToken(let made)):
            guard made.environment == environment else { throw .notAsked }
            guard !made.token.isEmpty else { throw .noName }
        case (.registerToken(let sent), .pushToken(let kept)):
            guard kept.environment == sent.environment, kept.token == sent.token else {
                throw .notAsked
            }
        case (.restrict, .done), (.unrestrict, .done): return
        case (.modifyZones, _), (.modifyRecords, _), (.acceptShares, _), (.modifySubscriptions, _),
            (.uploadAssets, _), (.rereferenceAssets, _), (.createToken, _), (.registerToken, _),
            (.restrict, _), (.unrestrict, _):
            throw .otherKind
        }
    }

    // MARK: What the kinds of answers have in common

    func checkName(_ name: String) throws(Mismatch) {
        guard (1...Self.nameUnitsMax).contains(name.utf16.count) else { throw .noName }
    }

    func check(_ token: ChangeToken?) throws(Mismatch) {
        // In a request the empty token means "caught up"; no answer has one.
        if token?.rawValue.isEmpty == true { throw .emptyToken }
    }

    func checkCount(_ items: Int, _ asked: Int) throws(Mismatch) {
        guard items == asked else { throw .otherCount }
    }
}

// The items of a reply that must be of one kind, where several requests have replies of it.
extension CloudReply {
    fileprivate func zonePage() throws(ReplyCheck.Mismatch) -> ZonePage {
        guard case .zonePage(let page) = self else { throw .otherKind }
        return page
    }

    fileprivate func subscriptions() throws(ReplyCheck.Mismatch) -> [Subscription.Item] {
        guard case .subscriptions(let items) = self else { throw .otherKind }
        return items
    }

    fileprivate func users() throws(ReplyCheck.Mismatch) -> [UserIdentity.Item] {
        guard case .users(let items) = self else { throw .otherKind }
        return items
    }
}
