import Donations

/// One row's digests, made when first asked for.
struct ExchangeRowKeys {
    let row: Donation
    private let keys: ExchangeKeys
    private var made: [DonationKey: [String]] = [:]

    init(_ row: Donation, _ keys: ExchangeKeys) {
        self.row = row
        self.keys = keys
    }

    /// The row's digest of a key; nil: it has no such name.
    mutating func key(_ key: DonationKey) -> String? { digests(key).first }

    /// Whether one of the row's digests of a key is among these: it has one for every domain that it
    /// lies in, and for every part of a container that its link lies in.
    mutating func has(_ key: DonationKey, _ all: Set<String>) -> Bool {
        digests(key).contains(where: all.contains)
    }

    private mutating func digests(_ key: DonationKey) -> [String] {
        if let known = made[key] { return known }
        let digests: [String] =
            switch key {
            case .domain: row.domain.map(keys.domains) ?? []
            case .link: row.link.map(keys.links) ?? []
            case .index: row.indexName.map { [keys(key, $0)] } ?? []
            default: row.words(key).map { [keys(key, $0)] } ?? []
            }
        made[key] = digests
        return digests
    }
}
