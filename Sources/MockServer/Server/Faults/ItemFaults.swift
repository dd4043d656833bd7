package import CloudModel

/// Splits a command into the items that a fault makes fail and the rest that is carried out.
///
/// For commands that name their items; those of other answers fail by ``AnswerFaults``.
///
/// Item errors obey atomicity: in an atomic batch the siblings of a failed item in its zone fail
/// with `ATOMIC_ERROR`, and nothing of that zone is carried out.
package struct ItemFaults: Sendable {
    /// The command without the failed items; nil when none is left.
    package let remaining: CloudCommand?
    /// The errors by position in the request.
    package let errors: [Int: CloudError]
    private let command: CloudCommand
    private let atomically: Bool

    /// - Parameters:
    ///   - items: How many fail; nil for all that `zone` lets through.
    ///   - zone: Which items may fail, by their zone; nil for all.
    package init(
        _ command: CloudCommand, error: CloudError, items: Int?, zone: Glob?, isPublic: Bool
    ) {
        let zones = Self.zones(of: command)
        let eligible = zones.indices.filter { index in
            guard let zone else { return true }
            return zones[index].map { zone.matches($0.zoneName) } ?? false
        }
        var errors: [Int: CloudError] = [:]
        for index in eligible.prefix(items ?? .max) { errors[index] = error }
        var atomically = false
        if case .write(.modifyRecords(let request)) = command, request.atomic, !isPublic {
            let broken = Set(errors.keys.compactMap { zones[$0] }.filter { !$0.isDefault })
            for index in zones.indices where errors[index] == nil {
                if let zone = zones[index], broken.contains(zone) {
                    errors[index] = CloudError(
                        .atomicError, reason: "another item of the atomic batch failed")
                }
            }
            atomically = !broken.isEmpty
        }
        self.command = command
        self.errors = errors
        self.atomically = atomically
        remaining = Self.without(Set(errors.keys), in: command)
    }

    /// Whether a command names what its answer lists.
    package static func names(itemsOf command: CloudCommand) -> Bool {
        !zones(of: command).isEmpty
    }

    /// The zone of each item of the command, in order; nil where an item has none.
    private static func zones(of command: CloudCommand) -> [RecordZone.ID?] {
        switch command {
        case .read(.lookUpZones(let ids)): ids
        case .write(.modifyZones(let operations)): operations.map(\.id)
        case .read(.zoneChanges(let requests)): requests.map(\.zoneID)
        case .read(.lookUpRecords(let request)): request.recordNames.map { _ in request.zoneID }
        case .write(.modifyRecords(let request)):
            request.operations.map { $0.zoneID ?? request.zoneID }
        case .read(.lookUpSubscriptions(let ids)): ids.map { _ in nil }
        case .write(.modifySubscriptions(let operations)):
            operations.map {
                switch $0 {
                case .create(let subscription), .update(let subscription): subscription.zoneID
                case .delete: nil
                }
            }
        case .read(.listZones), .read(.zoneListChanges), .read(.databaseChanges),
            .read(.queryRecords), .read(.listSubscriptions),
            .read(.currentUser), .read(.caller), .write(.restrict), .write(.unrestrict):
            []
        }
    }

    private static func without(_ failed: Set<Int>, in command: CloudCommand) -> CloudCommand? {
        func keep<Element>(_ items: [Element]) -> [Element] {
            items.indices.filter { !failed.contains($0) }.map { items[$0] }
        }
        func whole<Element>(
            _ items: [Element], _ make: ([Element]) -> CloudCommand
        ) -> CloudCommand? {
            let left = keep(items)
            return left.isEmpty ? nil : make(left)
        }
        switch command {
        case .read(.lookUpZones(let ids)): return whole(ids) { .read(.lookUpZones($0)) }
        case .write(.modifyZones(let operations)):
            return whole(operations) { .write(.modifyZones($0)) }
        case .read(.zoneChanges(let requests)): return whole(requests) { .read(.zoneChanges($0)) }
        case .read(.lookUpRecords(var request)):
            return whole(request.recordNames) {
                request.recordNames = $0
                return .read(.lookUpRecords(request))
            }
        case .write(.modifyRecords(var request)):
            return whole(request.operations) {
                request.operations = $0
                return .write(.modifyRecords(request))
            }
        case .read(.lookUpSubscriptions(let ids)):
            return whole(ids) { .read(.lookUpSubscriptions($0)) }
        case .write(.modifySubscriptions(let operations)):
            return whole(operations) { .write(.modifySubscriptions($0)) }
        case .read(.listZones), .read(.zoneListChanges), .read(.databaseChanges),
            .read(.queryRecords), .read(.listSubscriptions),
            .read(.currentUser), .read(.caller), .write(.restrict), .write(.unrestrict):
            return command
        }
    }

    /// The answer to the whole command: the errors put between the items of `reply`, which is the
    /// answer to ``remaining``.
    package func merge(_ reply: CloudReply?) -> CloudReply {
        switch (command, reply) {
        case (.read(.lookUpZones(let ids)), _):
            return .zones(zoneItems(ids, reply))
        case (.write(.modifyZones(let operations)), _):
            return .zones(zoneItems(operations.map(\.id), reply))
        case (.read(.zoneChanges(let requests)), _):
            var rest: [ZoneChangesItem] = []
            if case .zoneChanges(let items) = reply { rest = items }
            return .zoneChanges(
                weave(requests.map(\.zoneID), rest) { .failure($0, $1) })
        case (.read(.lookUpRecords(let request)), _):
            return records(request.recordNames, reply)
        case (.write(.modifyRecords(let request)), _):
            return records(request.operations.map { $0.recordName ?? "" }, reply)
        case (.read(.lookUpSubscriptions(let ids)), _):
            return .subscriptions(subscriptionItems(ids, reply))
        case (.write(.modifySubscriptions(let operations)), _):
            let ids = operations.map {
                switch $0 {
                case .create(let subscription), .update(let subscription):
                    subscription.subscriptionID
                case .delete(let id): id
                }
            }
            return .subscriptions(subscriptionItems(ids, reply))
        default:
            return reply ?? .done
        }
    }

    private func zoneItems(_ ids: [RecordZone.ID], _ reply: CloudReply?) -> [RecordZone.Item] {
        var rest: [RecordZone.Item] = []
        if case .zones(let items) = reply { rest = items }
        return weave(ids, rest) { .failure($0, $1) }
    }

    private func subscriptionItems(_ ids: [String], _ reply: CloudReply?) -> [Subscription.Item] {
        var rest: [Subscription.Item] = []
        if case .subscriptions(let items) = reply { rest = items }
        return weave(ids, rest) { .failure($0, $1) }
    }

    private func records(_ names: [String], _ reply: CloudReply?) -> CloudReply {
        var rest = RecordsReply(records: [])
        if case .records(let records) = reply { rest = records }
        rest.records = weave(names, rest.records) { .failure(recordName: $0, $1) }
        rest.failedAtomically = rest.failedAtomically || atomically
        return .records(rest)
    }

    private func weave<ID, Item>(
        _ ids: [ID], _ rest: [Item], _ failure: (ID, CloudError) -> Item
    ) -> [Item] {
        var rest = rest[...]
        return ids.indices.compactMap { index in
            errors[index].map { failure(ids[index], $0) } ?? rest.popFirst()
        }
    }
}
