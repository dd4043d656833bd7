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
        var requests: [Int: Request] = [:]
        var nextRequest = 0
        var warnings: [CSIndexWarning] = []
        var warnedDomains: Set<String> = []
    }

    /// A request to the delegate that runs.
    private struct Request: Sendable {
        /// What is asked for; nil: everything.
        let asked: Set<String>?
        /// What was indexed or deleted since it began.
        var touched: Set<String> = []
        /// What was not taken because it had been deleted on all devices.
        var refused: Set<String> = []
        /// Whether the app emptied the index since it began: what it indexes after that answers
        /// no request.
        var isWiped = false
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
    ///
    /// - Returns: Those of them that were asked for.
    @discardableResult
    func touch(_ identifiers: [String]) -> Set<String> {
        values.withLock { values in
            var answers: Set<String> = []
            for (key, request) in values.requests {
                values.requests[key]?.touched.formUnion(identifiers)
                if request.isWiped { continue }
                let asked = request.asked
                answers.formUnion(asked.map { $0.intersection(identifiers) } ?? Set(identifiers))
            }
            return answers
        }
    }

    /// Notes that the app emptied the index. Its own deletion must not keep out what it indexes
    /// afterwards, though it indexes that for a request.
    func noteWipe() {
        values.withLock { values in
            for key in values.requests.keys { values.requests[key]?.isWiped = true }
        }
    }

    /// Notes items that were not taken because they had been deleted on all devices.
    func refuse(_ identifiers: [String]) {
        values.withLock { values in
            for key in values.requests.keys {
                values.requests[key]?.refused.formUnion(identifiers)
            }
        }
    }

    /// Whether the delegate is being asked to index again.
    var isReindexing: Bool { values.withLock { !$0.requests.isEmpty } }

    /// Begins to note what the app takes care of.
    ///
    /// - Parameter asked: What the delegate is asked for; nil: everything.
    func beginRequest(_ asked: [String]?) -> Int {
        values.withLock { values in
            values.nextRequest += 1
            values.requests[values.nextRequest] = Request(asked: asked.map { Set($0) })
            return values.nextRequest
        }
    }

    /// Ends a request.
    ///
    /// - Returns: What the app took care of meanwhile, and what of it was not taken.
    func endRequest(_ number: Int) -> (touched: Set<String>, refused: Set<String>) {
        let request = values.withLock { $0.requests.removeValue(forKey: number) }
        return (request?.touched ?? [], request?.refused ?? [])
    }
}
