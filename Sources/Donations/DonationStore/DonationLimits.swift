import Donations

/// The limits on what one row may hold; beyond them nothing is stored.
package enum DonationLimits {
    /// The bytes of a name, a type, a title or one keyword.
    package static let nameBytesMax = 64 * 1024
    /// The canonical bytes of a payload.
    package static let payloadBytesMax = 8 << 20
    /// The images of one donation, and the bytes of each.
    package static let imagesMax = 64
    package static let imageBytesMax = 32 << 20
    /// The rows of one call.
    package static let rowsMax = 100_000
    /// A19: the bytes of a client state.
    package static let clientStateBytesMax = 250
    /// The bytes of a vocabulary string.
    package static let vocabularyBytesMax = 1024
}

extension Donation {
    /// The row as it is stored: empty names are no names (A13).
    func normalised() throws(DonationError) -> Donation {
        var row = self
        row.row = 0
        row.group = group?.orNil
        row.persistentIdentifier = persistentIdentifier?.orNil
        row.relatedIdentifier = relatedIdentifier?.orNil
        row.weakRelatedIdentifier = weakRelatedIdentifier?.orNil
        row.domain = domain?.orNil
        row.indexName = indexName?.orNil
        row.entityType = entityType?.orNil
        row.entityIdentifier = entityIdentifier?.orNil
        row.nestedActivity?.persistentIdentifier = nestedActivity?.persistentIdentifier?.orNil
        row.savedKey = nil
        if kind.hasIdentifier, identifier.isEmpty {
            throw DonationError(.invalid, "a donation has no identifier")
        }
        var texts = [
            identifier, type, group, persistentIdentifier, relatedIdentifier,
            weakRelatedIdentifier, domain, indexName, title, displayName, webpageURL,
            suggestedInvocationPhrase, targetContentIdentifier, entityType, entityIdentifier,
            actionID,
        ].compactMap { $0 }
        texts += keywords + mentions
        guard texts.allSatisfy({ $0.utf8.count <= DonationLimits.nameBytesMax }) else {
            throw DonationError(.invalid, "a name of a donation is too long")
        }
        let size = payload.count + (nestedActivity?.payload.count ?? 0)
        guard max(size, description?.utf8.count ?? 0) <= DonationLimits.payloadBytesMax else {
            throw DonationError(.invalid, "what a donation holds is too large")
        }
        guard images.count <= DonationLimits.imagesMax,
            images.allSatisfy({ $0.bytes.count <= DonationLimits.imageBytesMax })
        else { throw DonationError(.invalid, "a donation's images are too large") }
        for index in row.images.indices { row.images[index].file = nil }
        return row
    }
}
