import CloudModel

extension CloudReply {
    /// Every record type that the answer names, whatever was asked.
    var recordTypes: Set<String> {
        var types: Set<String> = []
        func add(_ items: [Record.Item]) {
            for case .record(let record) in items { types.insert(record.recordType) }
        }
        switch self {
        case .zoneChanges(let items):
            for case .page(let page) in items { add(page.records) }
        case .recordPage(let page): add(page.records)
        case .recordPages(let items): for case .page(let page) in items { add(page.records) }
        case .records(let reply): add(reply.records)
        case .subscriptions(let items):
            for case .subscription(let subscription) in items {
                if let type = subscription.query?.recordType { types.insert(type) }
            }
        case .zonePage, .zones, .shares, .assetUploads, .assets, .user, .users, .pushToken, .done:
            break
        }
        types.remove("")
        return types
    }
}
