import Basics

/// A record is not saved in conflict again and again.
struct ConflictRule: ClientRule {
    /// Consecutive conflicts of one record that are not a finding.
    static let conflictsMax = 5

    private struct Run {
        var first: Int
        var count: Int
    }

    private var runs = RecentValues<ItemErrorRule.RecordPlace, Run>(512)

    mutating func note(_ exchange: ClientExchange) -> [ClientBreach] {
        guard case .write(.modifyRecords(let request))? = exchange.command,
            case .records(let reply)? = exchange.reply,
            reply.records.count == request.operations.count
        else { return [] }
        var breaches: [ClientBreach] = []
        for (operation, item) in zip(request.operations, reply.records) {
            guard let zone = exchange.place(operation.zoneID ?? request.zoneID),
                let name = operation.recordName, !name.isEmpty
            else { continue }
            let place = ItemErrorRule.RecordPlace(zone: zone, name: name)
            guard let error = item.error else {
                runs[place] = nil
                continue
            }
            guard error.code == .conflict else { continue }
            var run = runs[place] ?? Run(first: exchange.number, count: 0)
            run.count += 1
            runs[place] = run
            guard run.count == Self.conflictsMax + 1 else { continue }
            breaches.append(
                ClientBreach(
                    .conflictLoop, in: zone, name, requests: [run.first, exchange.number],
                    "The record \(name) was in conflict in request \(run.first) and in "
                        + "\(run.count - 1) more, up to request \(exchange.number)."))
        }
        return breaches
    }
}
