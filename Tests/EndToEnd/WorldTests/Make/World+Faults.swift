import CloudModel

/// What goes wrong with our client's requests.
extension World {
    private static let reads = [
        "users/caller", "zones/list", "changes/database", "subscriptions/list", "records/query",
        "changes/zone", "zones/lookup", "records/lookup",
    ]
    private static let writes = ["zones/modify", "records/modify", "subscriptions/modify"]
    /// What deletes comes last and is asked for least: it gets its share.
    private static let operations =
        reads + ["records/query"] + Array(repeating: writes, count: 3).flatMap { $0 }
    private static let codes = CloudError.Code.allCases.filter(\.isServiceCode)

    /// Of requests from our client's device.
    static let byDesk = " by device \(WorldService.desk)"
    private var byDesk: String { Self.byDesk }

    func makeFault(_ luck: inout Luck) -> String {
        let operation = luck.pick(Self.operations)
        // Before the operation, and after it.
        let often = luck.pick([
            ("\(luck.number(1...4))th ", ""), ("", " \(luck.number(1...4)) times"), ("10% ", ""),
            ("40% ", ""), ("\(luck.number(1...9))th ", ""), ("", ""),
        ])
        // Of one thing looked up by its name it is the only word on whether it is there.
        let tells = ["zones/lookup", "records/lookup"].contains(operation)
        // Of a list it says nothing, however much it sounds as if nothing were there.
        let sounds = [CloudError.Code.notFound, .zoneNotFound]
        let code = luck.pick(
            tells
                ? Self.codes.filter { !sounds.contains($0) }
                : luck.chance(40) ? sounds : Self.codes
        ).rawValue
        var actions = [
            code, code, "THROTTLED retry 3s", "TRY_AGAIN_LATER retry 0.5s", "cut before commit",
            "cut after commit", "INTERNAL_ERROR",
        ]
        if operation != "users/caller" {
            actions += Array(repeating: "\(code) on 1 items", count: 3)
            actions.append("repeat 1 items")
        }
        if operation == "changes/zone" { actions.append("\(code) on 1 records") }
        if ["zones/list", "changes/database"].contains(operation) {
            actions.append("stale zone list")
        }
        let pages = ["zones/list", "changes/database", "changes/zone", "records/query"]
        if pages.contains(operation) { actions += ["empty page", "repeat page"] }
        let action = luck.pick(actions)
        let bound = action == "repeat page" ? ("", " once") : often
        return "\(bound.0)\(operation)\(byDesk)\(bound.1) -> \(action)"
    }

    /// A deletion is not carried out, and answered as if nothing were there, once.
    func makeDenial(_ luck: inout Luck) -> String {
        let operation = luck.pick(Self.writes)
        let code: CloudError.Code = operation == "zones/modify" ? .zoneNotFound : .notFound
        return "\(luck.number(1...2))th \(operation)\(byDesk) -> \(code.rawValue) on 1 items"
    }

    /// An item is missing, once.
    func makeOmission(_ luck: inout Luck) -> String {
        let operation = luck.pick([
            "records/query", "zones/list", "changes/database", "subscriptions/list",
            "zones/modify", "records/modify", "subscriptions/modify",
        ])
        return "\(luck.number(1...6))th \(operation)\(byDesk) -> drop 1 items"
    }
}
