import CloudModel
import CloudWire

/// The rules of subscriptions.
struct Subscriptions {
    let context: StoreContext
    let databases: Databases
    let zones: Zones

    func list(_ session: Session) throws(CloudError) -> [Subscription.Item] {
        try subscriptions(session).map { .subscription($0) }
    }

    func lookUp(
        _ names: [String], _ session: Session
    ) throws(CloudError) -> [Subscription.Item] {
        try context.answers(to: names) { name throws(CloudError) in
            guard
                let found = try context.tables.subscriptions.find(
                    name, in: session.database.id, of: session.callerName)
            else { throw .noSubscription }
            return .subscription(found)
        } failed: {
            .failure($0, $1)
        }
    }

    func modify(
        _ operations: [Subscription.Operation], _ session: Session
    ) throws(CloudError) -> [Subscription.Item] {
        try context.requireCount(operations.count)
        try databases.beginWriting(session.database)
        var known = try subscriptions(session)
        return try context.answers(to: operations) { operation throws(CloudError) in
            switch operation {
            case .create(let subscription):
                return .subscription(try create(subscription, session, &known))
            case .update(let subscription):
                return .subscription(try update(subscription, session, &known))
            case .delete(let name):
                guard Self.has(name, known) else { throw .noSubscription }
                try context.tables.subscriptions.delete(
                    name, in: session.database.id, of: session.callerName)
                known.removeAll { $0.subscriptionID == name }
                return .deleted(name)
            }
        } failed: { operation, error in
            switch operation {
            case .create(let subscription), .update(let subscription):
                .failure(subscription.subscriptionID, error)
            case .delete(let name): .failure(name, error)
            }
        }
    }

    private func create(
        _ given: Subscription, _ session: Session, _ known: inout [Subscription]
    ) throws(CloudError) -> Subscription {
        var subscription = given
        if subscription.subscriptionID.isEmpty {
            subscription.subscriptionID = context.generator.uuid()
        }
        subscription = try checked(subscription, session)
        // The service then fails to find what it has just made: seen live.
        if Self.clashes(subscription, known) {
            throw CloudError(
                .internalError,
                reason:
                    "the subscription just created cannot be found: another one watches the same",
                rule: "second-query-subscription")
        }
        try put(subscription, session, &known)
        return subscription
    }

    private func update(
        _ given: Subscription, _ session: Session, _ known: inout [Subscription]
    ) throws(CloudError) -> Subscription {
        guard Self.has(given.subscriptionID, known) else { throw .noSubscription }
        let subscription = try checked(given, session)
        if Self.clashes(subscription, known) {
            throw CloudError(.badRequest, reason: "another subscription watches the same")
        }
        try put(subscription, session, &known)
        return subscription
    }

    /// The subscription as it is stored, with its zone's owner.
    private func checked(
        _ given: Subscription, _ session: Session
    ) throws(CloudError) -> Subscription {
        func refuse(_ reason: String) -> CloudError { CloudError(.badRequest, reason: reason) }
        var subscription = given
        guard (1...WireLimits.identifierMax).contains(subscription.subscriptionID.utf8.count) else {
            throw refuse("a subscription ID has 1 to \(WireLimits.identifierMax) characters")
        }
        switch subscription.kind {
        case .query:
            guard let query = subscription.query else {
                throw refuse("a query subscription needs a query")
            }
            guard session.address.scope != .shared else {
                throw refuse("shared databases have no query subscriptions").under(110)
            }
            guard FieldChecker.isValid(name: query.recordType) else {
                throw refuse("the query names no record type")
            }
            guard !subscription.firesOn.isEmpty else {
                throw refuse("firesOn is missing")
            }
        case .zone:
            guard let zoneID = subscription.zoneID, !zoneID.isDefault, !session.isPublic else {
                throw refuse("a zone subscription needs a custom zone")
            }
        case .database:
            guard !session.isPublic else {
                throw refuse("public databases have no database subscriptions")
            }
        }
        if let zoneID = subscription.zoneID {
            _ = try zones.find(zoneID, session, under: 109)
            subscription.zoneID = session.zoneID(session.rowName(zoneID))
        }
        return subscription
    }

    /// Whether another query subscription of the caller has the same type, predicate and events.
    private static func clashes(_ subscription: Subscription, _ known: [Subscription]) -> Bool {
        guard subscription.kind == .query else { return false }
        return known.contains { other in
            other.kind == .query && other.subscriptionID != subscription.subscriptionID
                && other.query?.recordType == subscription.query?.recordType
                && other.query?.filters == subscription.query?.filters
                && other.zoneID == subscription.zoneID
                && Set(other.firesOn) == Set(subscription.firesOn)
        }
    }

    private func put(
        _ subscription: Subscription, _ session: Session, _ known: inout [Subscription]
    ) throws(CloudError) {
        known.removeAll { $0.subscriptionID == subscription.subscriptionID }
        guard known.count < WireLimits.subscriptionsMax else {
            throw CloudError(
                .badRequest,
                reason: "more than \(WireLimits.subscriptionsMax) subscriptions of one user")
        }
        known.append(subscription)
        try context.tables.subscriptions.put(
            subscription, in: session.database.id, of: session.callerName,
            boundTo: subscription.zoneID.map(session.rowName))
        session.database.mayHaveSubscriptions = true
    }

    private func subscriptions(_ session: Session) throws(CloudError) -> [Subscription] {
        try context.tables.subscriptions.all(in: session.database.id, of: session.callerName)
    }

    private static func has(_ name: String, _ known: [Subscription]) -> Bool {
        known.contains { $0.subscriptionID == name }
    }
}

extension CloudError {
    fileprivate static let noSubscription = CloudError(
        .notFound, reason: "subscription not found")
}
