import Basics
internal import CloudModel
internal import DonationStore
internal import Donations
internal import Foundation

extension CSSearchableItem {
    /// The row that the store keeps of the item as it is now.
    func donation(indexName: String?, protectionClass: String?, at now: Timestamp) -> Donation {
        let attributes = attributeSet.snapshot
        let summary = ItemAttributes(attributes)
        var row = Donation(
            .searchableItem, identifier: uniqueIdentifier, type: summary.contentType, at: now)
        row.domain = domainIdentifier?.orNil
        row.indexName = indexName
        row.protectionClass = protectionClass
        row.eligibility = .search
        row.expiration = ownExpirationDate.map { Timestamp($0) }
        row.title = summary.title
        row.displayName = summary.displayName
        row.keywords = summary.keywords
        row.description = summary.description
        row.relatedIdentifier = nil
        row.entityType = entity?.type
        row.entityIdentifier = entity?.identifier
        row.mentions = summary.mentions
        row.link = contentLink
        if let hint = summary.rankingHint { row.numbers["rankingHint"] = hint }
        row.payload = PayloadValue.dictionary(attributes).encoded
        return row
    }

    /// The item that a row tells of.
    ///
    /// - Parameter fetching: The attributes to fill in; nil: all.
    convenience init(_ row: Donation, fetching: Set<String>? = nil) {
        var attributes = Self.attributes(of: row)
        if let fetching { attributes = attributes.filter { fetching.contains($0.key) } }
        self.init(
            uniqueIdentifier: row.identifier, domainIdentifier: row.domain,
            attributeSet: CSSearchableItemAttributeSet(attributes))
        expirationDate = row.expiration.map(\.date)
        contentLink = row.link
        if let type = row.entityType, let identifier = row.entityIdentifier {
            entity = EntityName(type: type, identifier: identifier)
        }
    }

    /// The attributes of a row by name; those that were set to nothing are left out.
    static func attributes(of row: Donation) -> [String: PayloadValue] {
        var attributes: [String: PayloadValue] = [:]
        if case .dictionary(let pairs)? = try? PayloadValue(decoding: row.payload) {
            for (key, value) in pairs {
                guard case .string(let name) = key, value != .null else { continue }
                attributes[name] = value
            }
        }
        // The store's columns are what an update leaves; the rest follows them.
        attributes["title"] = row.title.map(PayloadValue.string)
        attributes["displayName"] = row.displayName.map(PayloadValue.string)
        attributes["contentDescription"] = row.description.map(PayloadValue.string)
        attributes["keywords"] = row.keywords.isEmpty ? nil : row.keywords.attribute
        return attributes
    }
}
