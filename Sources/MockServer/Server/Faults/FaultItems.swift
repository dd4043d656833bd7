/// Which parts of an answer a fault is about: `2 items`, `all items`, `1 records`.
package struct FaultItems: Sendable, Hashable {
    /// What is counted.
    package enum Unit: String, Sendable, CaseIterable {
        /// What the answer lists: zones, records, subscriptions; of `changes/zone` its zones.
        case items
        /// The records in the pages of `changes/zone`, through all of its zones.
        case records
    }

    package var unit: Unit
    /// The first so many of them; nil: all.
    package var count: Int?

    /// The first `count` parts of an answer, or with nil all.
    package init(_ count: Int?, _ unit: Unit = .items) {
        self.count = count
        self.unit = unit
    }

    /// `2 items`, `all records`
    package var text: String { (count.map { "\($0)" } ?? "all") + " " + unit.rawValue }

    /// The operations whose answers have such parts.
    var operations: [String] {
        switch unit {
        case .items: FaultOperation.paths { $0.reply != .user && $0.reply != .done }
        case .records: FaultOperation.paths { $0.reply == .zoneChanges }
        }
    }

    /// Reads what ``text`` writes; one may also be spelled `1 item`.
    init?(_ count: String, _ noun: String) {
        guard
            let unit = Unit.allCases.first(where: {
                noun == $0.rawValue || noun + "s" == $0.rawValue
            })
        else { return nil }
        if count == "all" {
            self.init(nil, unit)
        } else {
            guard let number = Int(count) else { return nil }
            self.init(number, unit)
        }
    }
}
