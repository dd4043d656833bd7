/// S9: "not found" is an answer about one thing, and may be untrue.
extension Judge {
    /// What our client was told is not there, and is there all the same, is not counted as gone.
    mutating func checkNotFound() {
        guard [.sweep, .apply, .resume].contains(act.verb), !ledger.isSwapped,
            [.done, .partlyFailed, .dataLeft].contains(verdict.status)
        else { return }
        let stay = wish.mustStay(before)
        for row in verdict.rows where row.subject == nil {
            guard let mine = things(of: row, before) else { continue }
            let denied = mine.filter {
                after[$0] != nil && !stay.contains($0) && ledger.born[$0] == nil
                    && !ledger.touched.contains($0) && isDenied($0)
            }
            guard denied.count > row.left + row.failed else { continue }
            say(
                "S9 \(act.verb.rawValue) \(verdict.status): \(row.kind.rawValue) believes that what "
                    + "is there is not",
                "\(row.container)/\(row.scope): \(row.left) left, \(row.failed) failed, but there are "
                    + denied.sorted().map(\.description).joined(separator: "; "))
        }
    }

    /// Whether the answer to a deletion said that the thing is not there.
    func isDenied(_ thing: Thing) -> Bool {
        deletions.contains { exchange in
            exchange.container == thing.container && exchange.scope == thing.scope
                && exchange.asked.contains { names($0, thing) }
                && (Self.isDenial(exchange.refusal)
                    || exchange.answered.contains { names($0, thing) && Self.isDenial($0.refusal) })
        }
    }

    private static func isDenial(_ refusal: Exchange.Refusal?) -> Bool {
        refusal.map { ["NOT_FOUND", "ZONE_NOT_FOUND"].contains($0.code) } ?? false
    }

    private func names(_ part: Exchange.Part, _ thing: Thing) -> Bool {
        switch thing.kind {
        case .zone: part.zone == thing.zone && part.name.isEmpty
        case .record: part.name == thing.name
        case .subscription: !part.name.isEmpty && thing.name.hasSuffix(part.name)
        }
    }
}
