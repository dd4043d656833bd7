internal import DonationStore
internal import Donations

extension Donation {
    /// Whether the item fulfils a condition.
    func fulfils(_ predicate: QueryPredicate) -> Bool {
        var values = CSSearchableItem.attributes(of: self)
        values["domainIdentifier"] = domain.map(PayloadValue.string)
        values["rankingHint"] = .integer(numbers["rankingHint"] ?? 0)
        if let expiration { values["expirationDate"] = expiration.date.attribute }
        let ownIdentifiers = [PayloadValue.string(identifier), values["identifier"]]
        values["identifier"] = .array(ownIdentifiers.compactMap(\.self))
        return predicate.holds { subject in
            switch subject {
            case .attribute(let name): values[name].map(\.queryValues) ?? []
            case .searchableText:
                QueryAttributes.searchable.flatMap { values[$0].map(\.queryValues) ?? [] }
            case .anything: values.values.flatMap(\.queryValues)
            }
        }
    }
}

extension PayloadValue {
    /// From Foundation's first instant, 2001, back to 1970.
    private static let epochShift = 978_307_200.0

    /// The value or values a query compares with.
    var queryValues: [QueryValue] {
        switch self {
        case .string(let text), .url(let text): [.text(text)]
        case .bool(let value): [.number(value ? 1 : 0)]
        case .integer(let value): [.number(Double(value))]
        case .double(let value): [.number(value)]
        case .date(let seconds): [.date(seconds + Self.epochShift)]
        case .array(let values), .set(let values): values.flatMap(\.queryValues)
        case .dictionary: strings.map(QueryValue.text)
        case .null, .data, .uuid: []
        }
    }
}
