package import CloudModel
import CloudWire

extension FaultRule {
    /// Refuses a rule that can never fire, naming the reason and the nearest legal form.
    ///
    /// - Parameter containers: The containers served, or nil when any is.
    package func check(containers: [Container.ID]? = nil) throws(FaultError) {
        try checkName()
        try checkNumbers()
        try checkOperation()
        try checkAction()
        if let container, let containers,
            !containers.contains(where: { container.matches($0.rawValue) })
        {
            throw FaultError(
                "no container served matches \(container)",
                suggestion: NearestName.closest(
                    to: container.pattern, among: containers.map(\.rawValue)))
        }
    }

    private func checkName() throws(FaultError) {
        guard (1...100).contains(id.utf8.count) else {
            throw FaultError("a fault's id has 1 to 100 characters")
        }
    }

    private func checkNumbers() throws(FaultError) {
        let counts = [("nth", nth), ("every", every), ("times", times)]
        for case (let name, let value?) in counts where !(1...1_000_000_000).contains(value) {
            throw FaultError("\(name)=\(value) never fires", suggestion: "\(name)=1")
        }
        if let probability, !(probability > 0 && probability <= 1) {
            throw FaultError(
                "probability must be above 0 and at most 1", suggestion: "probability=0.1")
        }
    }

    private func checkOperation() throws(FaultError) {
        let meant = operation.selected.filter(action.operations.contains)
        guard !meant.isEmpty else {
            throw FaultError(
                "\(action.kind) has no meaning for \(operation)",
                suggestion: action.operations[0] + " -> " + action.text)
        }
        if zone != nil, meant.allSatisfy(Self.zoneless.contains) {
            throw FaultError(
                "\(operation) names no zone, so #\(zone?.pattern ?? "") never matches",
                suggestion: "\(operation) -> \(action.text)")
        }
        if recordType != nil, meant.allSatisfy({ !Self.typed.contains($0) }) {
            throw FaultError(
                "\(operation) names no record type",
                suggestion: "records/query type=\(recordType ?? "") -> \(action.text)")
        }
        if scope == .public, let zone, !zone.matches("_defaultZone") {
            throw FaultError(
                "the public database has the zone _defaultZone only",
                suggestion: "#_defaultZone")
        }
        if scope == .public || scope == .shared, meant.allSatisfy(Self.privateOnly.contains) {
            throw FaultError(
                "\(operation) works in the private database only", suggestion: "/private")
        }
    }

    private func checkAction() throws(FaultError) {
        switch action {
        case .error(let code, let wait, let reason):
            try check(code: code, wait: wait)
            if let reason, reason.utf8.count > 500 {
                throw FaultError("a reason has at most 500 bytes")
            }
        case .itemError(let code, let items, let wait):
            try check(code: code, wait: wait)
            try check(items, "\(code.rawValue) on ")
        case .dropItems(let items): try check(items, "drop ")
        case .repeatItems(let items): try check(items, "repeat ")
        case .delay(let milliseconds):
            guard (1...600_000).contains(milliseconds) else {
                throw FaultError("a delay is 1 ms to 10 minutes", suggestion: "delay 50ms")
            }
        case .recreateZone(let records):
            guard (0...10_000).contains(records) else {
                throw FaultError(
                    "a zone is created again with 0 to 10000 records",
                    suggestion: "recreate zone with 3 records")
            }
            if scope == .public || scope == .shared {
                throw FaultError(
                    "zones are created in the private database only", suggestion: "/private")
            }
        case .throttle(let perSecond, let burst):
            guard perSecond > 0, perSecond <= 1_000_000, (1...1_000_000).contains(burst) else {
                throw FaultError(
                    "a throttle has a rate above 0 and a burst of at least 1",
                    suggestion: "throttle 10/s burst 20")
            }
        case .repeatPage:
            guard timesMax < .max || probability.map({ $0 < 1 }) ?? (every ?? 1 > 1) else {
                throw FaultError(
                    "a page that always comes again never ends",
                    suggestion: "\(operation) times=1 -> repeat page")
            }
        case .cutBeforeCommit, .cutAfterCommit, .staleZoneList, .emptyPage: break
        }
    }

    private func check(_ items: FaultItems, _ words: String) throws(FaultError) {
        guard let count = items.count, !(1...WireLimits.operationsMax).contains(count) else {
            return
        }
        throw FaultError(
            "a request has 1 to \(WireLimits.operationsMax) items",
            suggestion: words + FaultItems(1, items.unit).text)
    }

    private func check(code: CloudError.Code, wait: Double?) throws(FaultError) {
        guard code.isServiceCode else {
            throw FaultError(
                "\(code.rawValue) is not a code the service sends", suggestion: "INTERNAL_ERROR")
        }
        if let wait, !(wait >= 0 && wait <= 1_000_000) {
            throw FaultError("retry is 0 to 1000000 seconds", suggestion: "retry=30s")
        }
    }

    private static let zoneless = FaultOperation.paths { !$0.names.contains(.zone) }
    private static let typed = FaultOperation.paths { $0.names.contains(.recordType) }
    private static let privateOnly = FaultOperation.paths { $0.isModifying && $0.reply == .done }
}
