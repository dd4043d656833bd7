package import CloudModel
import CloudWire
package import MockStore

/// Splits a command into the items that fail by a fault, and the rest, which is executed.
///
/// For commands that name their items; items of other responses fail by ``AnswerFaults``.
///
/// Item errors obey atomicity: in an atomic batch the siblings of a failed item in its zone fail
/// with `ATOMIC_ERROR`, and nothing of that zone is executed.
package struct ItemFaults: Sendable {
    /// The command without the failed items; nil: none is left.
    package let remaining: CloudCommand?
    /// The errors by position in the request.
    package let errors: [Int: CloudError]
    private let command: CloudCommand
    private let failsAsRequest: Bool

    /// - Parameters:
    ///   - items: How many fail; nil for all that `filter` lets through.
    ///   - filter: Which items may fail.
    ///   - isPublic: Whether it is for a public database, where no batch is atomic.
    ///   - resolved: The one spelling of a zone.
    ///   - atomicFailure: How the failure of an atomic batch is reported.
    package init(
        _ command: CloudCommand, error: CloudError, items: Int?,
        among filter: ItemFilter = ItemFilter(),
        isPublic: Bool,
        resolved: (RecordZone.ID) -> RecordZone.ID = { $0 },
        atomicFailure: MockOptions.AtomicFailure = .items
    ) {
        let named = command.items ?? []
        let zones = named.map { $0.zoneID.map(resolved) }
        let eligible = named.indices.filter { filter.contains(named[$0]) }
        var errors: [Int: CloudError] = [:]
        for index in eligible.prefix(items ?? .max) { errors[index] = error }
        var failsBatch = false
        if case .write(.modifyRecords(let request)) = command, !isPublic {
            let broken = Set(errors.keys.compactMap { zones[$0] }.filter(request.isAtomic))
            for index in zones.indices where errors[index] == nil {
                if let zone = zones[index], broken.contains(zone) {
                    errors[index] = CloudError(
                        .atomicError, reason: "another item of the atomic batch failed", rule: 38)
                    failsBatch = true
                }
            }
        }
        self.command = command
        self.errors = errors
        failsAsRequest = failsBatch && atomicFailure == .request
        remaining = Self.without(Set(errors.keys), in: command)
    }

    /// Whether a command names the items of its response.
    package static func names(itemsOf command: CloudCommand) -> Bool {
        !(command.items ?? []).isEmpty
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
            let keys = keep(request.recordNames.indices.map { request.ownDesiredKeys[$0] })
            return whole(request.recordNames) {
                request.recordNames = $0
                request.ownDesiredKeys = Dictionary(
                    uniqueKeysWithValues: keys.enumerated().compactMap { index, keys in
                        keys.map { (index, $0) }
                    })
                return .read(.lookUpRecords(request))
            }
        case .write(.modifyRecords(var request)):
            return whole(request.operations) {
                request.operations = $0
                return .write(.modifyRecords(request))
            }
        case .read(.resolveShares(let lookups)):
            return whole(lookups) { .read(.resolveShares($0)) }
        case .write(.acceptShares(let lookups)):
            return whole(lookups) { .write(.acceptShares($0)) }
        case .read(.lookUpSubscriptions(let ids)):
            return whole(ids) { .read(.lookUpSubscriptions($0)) }
        case .write(.modifySubscriptions(let operations)):
            return whole(operations) { .write(.modifySubscriptions($0)) }
        case .write(.uploadAssets(var request)):
            return whole(request.tokens) {
                request.tokens = $0
                return .write(.uploadAssets(request))
            }
        case .write(.rereferenceAssets(var request)):
            return whole(request.fields) {
                request.fields = $0
                return .write(.rereferenceAssets(request))
            }
        default: return command
        }
    }

    /// The response to the whole command: the errors put between the items of `reply`, which is the
    /// response to ``remaining``.
    package func merge(_ reply: CloudReply?) -> CloudReply {
        switch WireOperation(command).facts.reply {
        case .zones:
            var rest: [RecordZone.Item] = []
            if case .zones(let items) = reply { rest = items }
            return .zones(weave(rest) { .failure($0.zoneID ?? .default, $1) })
        case .zoneChanges:
            var rest: [ZoneChangesItem] = []
            if case .zoneChanges(let items) = reply { rest = items }
            return .zoneChanges(weave(rest) { .failure($0.zoneID ?? .default, $1) })
        case .records:
            var rest = RecordsReply(records: [])
            if case .records(let records) = reply { rest = records }
            rest.records = weave(rest.records) { .failure(recordName: $0.name, $1) }
            rest.failedAtomically = rest.failedAtomically || failsAsRequest
            return .records(rest)
        case .shares:
            var rest: [ShareMetadata.Item] = []
            if case .shares(let items) = reply { rest = items }
            return .shares(weave(rest) { .failure(shortGUID: $0.name, $1) })
        case .subscriptions:
            var rest: [Subscription.Item] = []
            if case .subscriptions(let items) = reply { rest = items }
            return .subscriptions(weave(rest) { .failure($0.name, $1) })
        case .assetUploads:
            var rest: [AssetUploadRequest.Item] = []
            if case .assetUploads(let items) = reply { rest = items }
            return .assetUploads(weave(rest) { .failure(AssetField($0.name, $0.fieldName), $1) })
        case .assets:
            var rest: [AssetRereferenceRequest.Item] = []
            if case .assets(let items) = reply { rest = items }
            return .assets(weave(rest) { .failure(AssetField($0.name, $0.fieldName), $1) })
        case .zonePage, .recordPage, .recordPages, .user, .users, .pushToken, .done:
            return reply ?? .done
        }
    }

    private func weave<Item>(
        _ rest: [Item], _ failure: (CommandItem, CloudError) -> Item
    ) -> [Item] {
        var rest = rest[...]
        return (command.items ?? []).enumerated().compactMap { index, item in
            errors[index].map { failure(item, $0) } ?? rest.popFirst()
        }
    }
}
