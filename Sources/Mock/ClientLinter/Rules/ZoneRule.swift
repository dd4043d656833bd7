import Basics
import CloudModel

/// A client that has seen a zone deletion must not create the zone again.
///
/// It has seen one in a feed of the database, or in a response saying that the user erased the zone. What the client
/// deleted itself, and what was lost with its keys, may be created again.
struct ZoneRule: ClientRule {
    private var deleted = RecentValues<ClientPlace, Int>(512)
    /// Deleted by the client itself.
    private var own = RecentValues<ClientPlace, Int>(512)

    mutating func note(_ exchange: ClientExchange) -> [ClientBreach] {
        switch (exchange.command, exchange.reply) {
        case (.read(.databaseChanges), .zonePage(let page)),
            (.read(.zoneListChanges), .zonePage(let page)),
            (.read(.listZones), .zonePage(let page)):
            for zone in page.zones { note(zone, exchange) }
        case (.read(.zoneChanges), .zoneChanges(let items)):
            for case .failure(let id, let error) in items { note(error, of: id, exchange) }
        case (.read(.lookUpZones), .zones(let items)):
            for zone in items { note(zone, exchange) }
        case (.write(.modifyRecords(let request)), .records(let reply)):
            for (operation, item) in zip(request.operations, reply.records) {
                guard let error = item.error else { continue }
                note(error, of: operation.zoneID ?? request.zoneID, exchange)
            }
        case (.write(.modifyZones(let operations)), .zones(let items)):
            return zip(operations, items).compactMap { operation, item in
                change(operation, item, exchange)
            }
        default: break
        }
        return []
    }

    private mutating func note(_ zone: RecordZone.Item, _ exchange: ClientExchange) {
        switch zone {
        case .zone(let zone):
            guard let place = exchange.place(zone.id) else { return }
            deleted[place] = nil
            own[place] = nil
        case .deleted(let id, let reason):
            guard let place = exchange.place(id), own[place] == nil,
                reason != .encryptedDataReset
            else { return }
            deleted[place] = exchange.number
        case .failure(let id, let error): note(error, of: id, exchange)
        }
    }

    private mutating func note(
        _ error: CloudError, of id: RecordZone.ID, _ exchange: ClientExchange
    ) {
        guard let place = exchange.place(id), error.zoneDeletionReason == .purged else { return }
        deleted[place] = exchange.number
    }

    private mutating func change(
        _ operation: RecordZone.Operation, _ item: RecordZone.Item, _ exchange: ClientExchange
    ) -> ClientBreach? {
        guard let place = exchange.place(operation.id) else { return nil }
        switch (operation, item) {
        case (.delete, .deleted):
            own[place] = exchange.number
            deleted[place] = nil
        case (.create, .zone):
            own[place] = nil
            guard let number = deleted[place] else { return nil }
            deleted[place] = nil
            return ClientBreach(
                .recreatedZone, in: place, requests: [number, exchange.number],
                "Request \(number) reported that the zone \(operation.id.zoneName) was deleted; "
                    + "request \(exchange.number) created it again.")
        default: break
        }
        return nil
    }
}
