import Basics
import CloudModel

/// A client that receives temporary errors or conflicts for items of a write must send them again, look them up, or read
/// their zone.
///
/// A permanent failure, such as a missing permission, can only be shown to the user, which a server cannot see.
struct ItemErrorRule: ClientRule {
    private struct Failed {
        var records: Set<RecordPlace> = []
        var zones: Set<ClientPlace> = []
        let count: Int
        let code: CloudError.Code
    }

    struct RecordPlace: Sendable, Hashable {
        let zone: ClientPlace
        let name: String
    }

    /// By the number of the request.
    private var open = RecentValues<Int, Failed>(256)

    mutating func note(_ exchange: ClientExchange) -> [ClientBreach] {
        guard let command = exchange.command else { return [] }
        let (records, zones) = touched(by: command, exchange)
        open.removeAll { _, failed in
            !failed.records.isDisjoint(with: records) || !failed.zones.isDisjoint(with: zones)
                || failed.records.contains { zones.contains($0.zone) }
        }
        if let failed = failed(exchange) { open[exchange.number] = failed }
        return []
    }

    func left(after last: Int) -> [ClientBreach] {
        open.all.map { number, failed in
            let place = failed.records.first?.zone ?? failed.zones.first
            return ClientBreach(
                .ignoredError, in: place, requests: number == last ? [number] : [number, last],
                "\(failed.count == 1 ? "An item" : "\(failed.count) items") of request "
                    + "\(number) failed with \(failed.code.rawValue), and "
                    + "\(failed.count == 1 ? "was" : "were") neither sent again nor read up to request \(last), the client's last."
            )
        }
    }

    /// The records that a request is about, and the zones it reads or changes as a whole.
    private func touched(
        by command: CloudCommand, _ exchange: ClientExchange
    ) -> (records: Set<RecordPlace>, zones: Set<ClientPlace>) {
        switch command {
        case .read(.lookUpRecords(let request)):
            return (places(request.recordNames.map { ($0, request.zoneID) }, exchange), [])
        case .read(.lookUpZones(let zoneIDs)):
            return ([], Set(zoneIDs.compactMap { exchange.place($0) }))
        case .read(.listZones), .read(.databaseChanges), .read(.zoneListChanges):
            // They list every zone.
            return ([], Set(open.all.flatMap { $0.value.zones }))
        case .read(let request):
            return ([], Set(request.zonesRead.compactMap { exchange.place($0) }))
        case .write(.modifyZones(let operations)):
            return ([], Set(operations.compactMap { exchange.place($0.id) }))
        case .write(.modifyRecords(let request)):
            return (
                places(
                    request.operations.map { ($0.recordName ?? "", $0.zoneID ?? request.zoneID) },
                    exchange), []
            )
        case .write: return ([], [])
        }
    }

    private func places(
        _ names: [(String, RecordZone.ID)], _ exchange: ClientExchange
    ) -> Set<RecordPlace> {
        Set(
            names.compactMap { name, zoneID in
                exchange.place(zoneID).map { RecordPlace(zone: $0, name: name) }
            })
    }

    /// The items of a write to which the client has to return; nil: none.
    private func failed(_ exchange: ClientExchange) -> Failed? {
        switch (exchange.command, exchange.reply) {
        case (.write(.modifyRecords(let request)), .records(let reply)):
            guard reply.records.count == request.operations.count else { return nil }
            let items = zip(request.operations, reply.records).compactMap { operation, item in
                item.error.map { (operation, $0) }
            }
            guard let worst = items.first(where: { $0.1.asksForMore }) else { return nil }
            return Failed(
                records: places(
                    items.map { ($0.0.recordName ?? "", $0.0.zoneID ?? request.zoneID) }, exchange),
                count: items.count, code: worst.1.code)
        case (.write(.modifyZones), .zones(let items)):
            let failures = items.compactMap { item -> (ClientPlace, CloudError)? in
                guard case .failure(let id, let error) = item, error.asksForMore else { return nil }
                return exchange.place(id).map { ($0, error) }
            }
            guard let first = failures.first else { return nil }
            return Failed(
                zones: Set(failures.map { $0.0 }), count: failures.count, code: first.1.code)
        default: return nil
        }
    }
}

extension CloudError {
    /// Whether a client that receives it has to return to the item.
    fileprivate var asksForMore: Bool {
        switch code {
        case .conflict, .throttled, .tryAgainLater, .internalError: true
        default: false
        }
    }
}

extension Record.Item {
    /// Why it failed; nil: it succeeded.
    var error: CloudError? { if case .failure(_, let error) = self { error } else { nil } }
}
