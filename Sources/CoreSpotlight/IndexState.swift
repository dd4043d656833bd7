internal import AsyncOperations
internal import DonationStore

/// What all objects that stand for one index of one store share.
final class IndexState: Sendable {
    private struct Key: Hashable {
        let store: ObjectIdentifier
        let name: String?
    }
    private struct Entry: Sendable {
        weak var store: DonationStore?
        let state: IndexState
    }
    private struct Values: Sendable {
        /// What was indexed or deleted since each running request began.
        var touched: [Int: Set<String>] = [:]
        var nextRequest = 0
        var warnings: [CSIndexWarning] = []
        var warnedDomains: Set<String> = []
    }

    private static let all = Locked<[Key: Entry]>([:])
    /// How many warnings are kept.
    private static let warningsMax = 100

    let name: String?
    private let values = Locked(Values())

    private init(name: String?) { self.name = name }

    /// The state of an index.
    static func of(_ store: DonationStore, _ name: String?) -> IndexState {
        let key = Key(store: ObjectIdentifier(store), name: name)
        return all.withLock { all in
            if let entry = all[key], entry.store === store { return entry.state }
            all = all.filter { $0.value.store != nil }
            let state = IndexState(name: name)
            all[key] = Entry(store: store, state: state)
            return state
        }
    }

    var warnings: [CSIndexWarning] { values.withLock { $0.warnings } }

    func warn(_ code: CSIndexWarning.Code) {
        let warning = CSIndexWarning(code: code, indexName: name)
        values.withLock { values in
            values.warnings = values.warnings.suffix(Self.warningsMax - 1) + [warning]
        }
    }

    /// Warns once of a domain.
    func check(domain: String) {
        guard CSDomainIdentifier.looksUnescaped(domain) else { return }
        let isNew = values.withLock { values in
            if values.warnedDomains.count >= Self.warningsMax { values.warnedDomains = [] }
            return values.warnedDomains.insert(domain).inserted
        }
        if isNew { warn(.domainLooksUnescaped) }
    }

    // MARK: Requests to the delegate

    /// Notes items that the app has taken care of.
    func touch(_ identifiers: [String]) {
        values.withLock { values in
            for key in values.touched.keys { values.touched[key]?.formUnion(identifiers) }
        }
    }

    /// Whether the delegate is being asked to index again.
    var isReindexing: Bool { values.withLock { !$0.touched.isEmpty } }

    /// Begins to note what the app takes care of.
    func beginRequest() -> Int {
        values.withLock { values in
            values.nextRequest += 1
            values.touched[values.nextRequest] = []
            return values.nextRequest
        }
    }

    /// Ends a request.
    ///
    /// - Returns: What the app took care of meanwhile.
    func endRequest(_ number: Int) -> Set<String> {
        values.withLock { $0.touched.removeValue(forKey: number) } ?? []
    }
}
