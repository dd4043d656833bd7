extension Judge {
    /// S2: what could not be read before the first deletion stops everything.
    ///
    /// Of each thing asked for the last answer counts. Answers that say of a thing looked up by
    /// its name that it is not there are answers.
    mutating func checkDiscovery() {
        let first = log.firstIndex(where: \.isModifying) ?? log.endIndex
        var unread: [String: String] = [:]
        for exchange in log[..<first] {
            for (subject, code) in readings(exchange) {
                // What has no pages was looked at once it was read; later is another look.
                if Self.unpaged.contains(exchange.operation), unread[subject] == "" { continue }
                unread[subject] = code
            }
        }
        let failed = unread.filter { $0.value != "" }
        guard let (subject, code) = failed.min(by: { $0.key < $1.key }) else { return }
        if first < log.endIndex {
            say(
                "S2 deleted after a look that failed (\(Self.operation(subject)))",
                "\(subject): \(code)")
        } else if [.done, .somethingToDelete].contains(verdict.status), act.verb != .verify {
            say(
                "S2 \(act.verb.rawValue) \(verdict.status) after a look that failed "
                    + "(\(Self.operation(subject)))", "\(subject): \(code)")
        }
    }

    private static let unpaged = ["users/caller", "records/lookup", "zones/lookup"]

    private static func operation(_ subject: String) -> String {
        String(subject.prefix { $0 != " " })
    }

    /// What a request asked for, and the injected code that was the answer; empty: it was read.
    private func readings(_ exchange: Exchange) -> [(String, String)] {
        let place = "\(exchange.operation) \(exchange.container)/\(exchange.scope)"
        guard exchange.status > 0 else { return [] }
        func code(_ refusal: Exchange.Refusal?) -> String {
            guard let refusal, refusal.isInjected else { return "" }
            return Self.isAbsence(refusal.code, exchange.operation) ? "" : refusal.code
        }
        switch exchange.operation {
        // Whoever it is is asked for in a container, by way of any of its databases.
        case "users/caller":
            return [("users/caller \(exchange.container)", code(exchange.refusal))]
        case "changes/zone", "zones/lookup":
            // What is in a zone matters where rules keep types; else it only says that it is there.
            let matters = wish.rules.contains { $0.type != nil }
            return exchange.asked.map { asked in
                let items = exchange.answered.filter {
                    $0.zone == asked.zone && (matters || $0.name.isEmpty)
                }
                let codes = items.map { code($0.refusal) } + [code(exchange.refusal)]
                return ("\(place)/\(asked.zone)", codes.first { !$0.isEmpty } ?? "")
            }
        case "records/lookup":
            return exchange.asked.map { asked in
                let items = exchange.answered.filter { $0.name == asked.name }
                let codes = items.map { code($0.refusal) } + [code(exchange.refusal)]
                return ("\(place)/\(asked.name)", codes.first { !$0.isEmpty } ?? "")
            }
        default:
            let codes =
                [isUnproven(exchange) ? "" : code(exchange.refusal)]
                + exchange.answered.map { code($0.refusal) }
            let type = exchange.type.map { "/" + $0 } ?? ""
            return [(place + type, codes.first { !$0.isEmpty } ?? "")]
        }
    }

    /// Whether it is about a type that is told of as unproven, which is no error of the look: one
    /// that cannot be queried for, or that no list names and the service does not know.
    private func isUnproven(_ exchange: Exchange) -> Bool {
        guard exchange.operation == "records/query", let type = exchange.type else { return false }
        let target = wish.targets.first { $0.container == exchange.container }
        return exchange.refusal?.code == "BAD_REQUEST"
            || exchange.refusal?.code == "NOT_FOUND" && target?.types?.contains(type) != true
    }

    /// Whether a code says that the thing asked for by its name is not there.
    private static func isAbsence(_ code: String, _ operation: String) -> Bool {
        switch operation {
        case "changes/zone", "zones/lookup": code == "ZONE_NOT_FOUND"
        case "records/lookup": code == "NOT_FOUND" || code == "ZONE_NOT_FOUND"
        default: false
        }
    }
}
