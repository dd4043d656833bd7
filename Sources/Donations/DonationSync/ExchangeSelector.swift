package import Donations

/// A selector as it travels: its kind, and digests of its words.
package struct ExchangeSelector: Sendable, Hashable, Codable {
    package var kind: DonationSelector.Kind
    /// One of these must be the row's; empty for kinds that name nothing.
    package var keys: [String]
    /// The digest of the index; nil: any.
    package var indexKey: String?
    /// In milliseconds since 1970; 0 for kinds without a time.
    package var from: Int64 = 0
    package var until: Int64 = 0

    /// A selector of a kind.
    package init(_ kind: DonationSelector.Kind, keys: [String] = [], indexKey: String? = nil) {
        self.kind = kind
        self.keys = keys
        self.indexKey = indexKey
    }

    /// A selector's digests; nil for one that means nothing, and for those that do not travel.
    package init?(_ selector: DonationSelector, _ keys: ExchangeKeys) {
        guard selector.kind.travels else { return nil }
        var digests = selector.names.map { $0.digests(keys) } ?? []
        if case .linked(let part) = selector { digests = [keys.link(into: part)] }
        if selector.kind.namesSomething, digests.isEmpty { return nil }
        self.init(
            selector.kind, keys: digests, indexKey: selector.index.map { keys(.index, $0) })
        if case .donated(let from, let until, _) = selector {
            (self.from, self.until) = (from, until)
        }
    }
}

extension DonationSelector.Names {
    /// The digests of the names that mean something.
    fileprivate func digests(_ keys: ExchangeKeys) -> [String] {
        guard type != "" else { return [] }
        return list.filter { !$0.isEmpty }.compactMap { name in
            key == .domain ? keys.domain(name) : keys(key, type.map { [$0, name] } ?? [name])
        }
    }
}

extension DonationSelector.Kind {
    /// The kind that a record spells; nil when no such selector travels.
    init?(travelling name: String) {
        self.init(rawValue: name)
        if !travels { return nil }
    }
}
