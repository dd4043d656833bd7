import Basics
import CloudModel

/// A write that creates a new record each time is not sent again, without reading first, after its response was lost.
///
/// Such a write has records without a name: the service generates one, and another the next time. A write with names or
/// change tags can be sent again, as the service reports what was done already.
struct LostWriteRule: ClientRule {
    private struct Loss {
        let number: Int
        let places: Set<ClientPlace>
    }

    private var losses = RecentValues<UInt64, Loss>(64)

    mutating func note(_ exchange: ClientExchange) -> [ClientBreach] {
        if case .read(let request)? = exchange.command {
            let seen = Set(request.zonesRead.compactMap { exchange.place($0) })
            losses.removeAll { !$1.places.isDisjoint(with: seen) }
            return []
        }
        guard case .write(.modifyRecords(let request))? = exchange.command else { return [] }
        let created = request.operations.filter {
            $0.kind.makesNew && ($0.recordName ?? "").isEmpty
        }
        guard !created.isEmpty else { return [] }
        let loss = losses[exchange.digest]
        losses[exchange.digest] =
            exchange.isLost
            ? Loss(
                number: exchange.number,
                places: Set(created.compactMap { exchange.place($0.zoneID ?? request.zoneID) }))
            : nil
        guard let loss else { return [] }
        return [
            ClientBreach(
                .resentWrite, in: exchange.place(created[0].zoneID ?? request.zoneID),
                requests: [loss.number, exchange.number],
                "The response to request \(loss.number) was lost, which created records without "
                    + "names; request \(exchange.number) created them again.")
        ]
    }
}

extension RecordOperation.Kind {
    /// Whether it creates a record if none has the name.
    fileprivate var makesNew: Bool { !isDelete && !comparesTag }
}

extension CloudRead {
    /// The zones whose records it reads.
    var zonesRead: [RecordZone.ID] {
        switch self {
        case .zoneChanges(let requests): requests.map(\.zoneID)
        case .queryRecords(let request): [request.zoneID ?? .default]
        case .queryBatch(let requests): requests.map { $0.zoneID ?? .default }
        case .lookUpRecords(let request): [request.zoneID]
        default: []
        }
    }
}
