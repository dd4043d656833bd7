package import CloudModel

/// Changes the items of a reply, after the request was executed.
///
/// Items that a request names can fail before they are executed: ``ItemFaults`` does that.
package struct AnswerFaults: Sendable {
    private let change: Change
    private let items: FaultItems
    /// The items of the response that it changes; nil: all.
    private let meant: [Bool]?

    /// The change of an item.
    package enum Change: Sendable, Hashable {
        /// It is an error item.
        case fail(CloudError)
        /// It is missing.
        case drop
        /// It is repeated.
        case `repeat`
    }

    /// - Parameters:
    ///   - items: How many items are changed, the first of the response on.
    ///   - filter: Which of the items that the command names are meant.
    package init(
        _ change: Change, _ items: FaultItems, of command: CloudCommand,
        among filter: ItemFilter = ItemFilter()
    ) {
        self.change = change
        self.items = items
        meant = filter == ItemFilter() ? nil : command.items?.map(filter.contains)
    }

    /// The changed response.
    package func applied(to reply: CloudReply) -> CloudReply {
        var left = items.count ?? .max
        if items.unit == .records {
            return changingRecords(of: reply, &left)
        }
        switch reply {
        case .zonePage(var page):
            page.zones = zones(page.zones, &left)
            return .zonePage(page)
        case .zones(let items): return .zones(zones(items, &left))
        case .zoneChanges(let zones):
            return .zoneChanges(
                changed(zones, &left) { item, error in
                    switch item {
                    case .page(let page): .failure(page.zoneID, error)
                    case .failure(let id, _): .failure(id, error)
                    }
                })
        case .recordPage(var page):
            page.records = records(page.records, &left)
            return .recordPage(page)
        case .recordPages(let items):
            return .recordPages(changed(items, &left) { _, error in .failure(error) })
        case .records(var reply):
            reply.records = records(reply.records, &left)
            return .records(reply)
        case .shares(let items):
            return .shares(changed(items, &left) { .failure(shortGUID: $0.shortGUID, $1) })
        case .subscriptions(let items):
            return .subscriptions(
                changed(items, &left) { item, error in
                    switch item {
                    case .subscription(let found): .failure(found.subscriptionID, error)
                    case .deleted(let id), .failure(let id, _): .failure(id, error)
                    }
                })
        case .users(let items):
            return .users(
                changed(items, &left) { item, error in
                    switch item {
                    case .user(let user):
                        .failure(
                            user.lookupInfo ?? .userRecordName(user.userRecordName), error)
                    case .failure(let info, _): .failure(info, error)
                    }
                })
        case .assetUploads(let items):
            return .assetUploads(changed(items, &left) { .failure($0.field, $1) })
        case .assets(let items):
            return .assets(changed(items, &left) { .failure($0.field, $1) })
        case .user, .pushToken, .done: return reply
        }
    }

    /// The records in the pages of a feed or of a batch of queries, through all of them.
    private func changingRecords(of reply: CloudReply, _ left: inout Int) -> CloudReply {
        func changed(_ records: [Record.Item]) -> [Record.Item] {
            self.changed(records, &left, { _ in true }, Self.failed)
        }
        switch reply {
        case .zoneChanges(let zones):
            return .zoneChanges(
                zones.enumerated().map { index, zone in
                    guard case .page(var page) = zone, isMeant(index) else { return zone }
                    page.records = changed(page.records)
                    return .page(page)
                })
        case .recordPages(let pages):
            return .recordPages(
                pages.map { item in
                    guard case .page(var page) = item else { return item }
                    page.records = changed(page.records)
                    return .page(page)
                })
        default: return reply
        }
    }

    private func zones(_ items: [RecordZone.Item], _ left: inout Int) -> [RecordZone.Item] {
        changed(items, &left) { .failure($0.id, $1) }
    }

    private func records(_ items: [Record.Item], _ left: inout Int) -> [Record.Item] {
        changed(items, &left, Self.failed)
    }

    private static func failed(_ item: Record.Item, _ error: CloudError) -> Record.Item {
        .failure(recordName: item.recordName, error)
    }

    private func isMeant(_ index: Int) -> Bool {
        meant.map { $0.indices.contains(index) && $0[index] } ?? true
    }

    private func changed<Item>(
        _ items: [Item], _ left: inout Int, _ failure: (Item, CloudError) -> Item
    ) -> [Item] {
        changed(items, &left, isMeant, failure)
    }

    private func changed<Item>(
        _ items: [Item], _ left: inout Int, _ isMeant: (Int) -> Bool,
        _ failure: (Item, CloudError) -> Item
    ) -> [Item] {
        var made: [Item] = []
        for (index, item) in items.enumerated() {
            guard left > 0, isMeant(index) else {
                made.append(item)
                continue
            }
            left -= 1
            switch change {
            case .fail(let error): made.append(failure(item, error))
            case .drop: break
            case .repeat: made += [item, item]
            }
        }
        return made
    }
}
