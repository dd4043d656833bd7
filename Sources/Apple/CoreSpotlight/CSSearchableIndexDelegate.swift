public import Foundation

/// Gives the index what it has lost or what has expired.
///
/// Call the acknowledgement handler when everything asked for has been indexed or deleted, and
/// not before. If it is never called, nothing is removed and the same is asked again.
public protocol CSSearchableIndexDelegate: AnyObject {
    /// Asks to index everything again. Items that are not indexed again before the
    /// acknowledgement are deleted.
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
            @escaping @Sendable () -> Void)
    /// Asks to index these items again, or to delete those that are gone; what is neither
    /// indexed nor deleted before the acknowledgement is deleted.
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping @Sendable () -> Void)
    /// Never called here: nothing is throttled.
    func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex)
    /// Never called here: nothing is throttled.
    func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex)
    /// The bytes of an item in a form; never called here.
    func data(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
    ) throws -> Data
    /// The file of an item in a form; never called here.
    func fileURL(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String,
        inPlace: Bool
    ) throws -> URL
}

extension CSSearchableIndexDelegate {
    public func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex) {}
    public func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex) {}
    public func data(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
    ) throws -> Data { throw CSIndexError(.indexingUnsupported) }
    public func fileURL(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String,
        inPlace: Bool
    ) throws -> URL { throw CSIndexError(.indexingUnsupported) }
}
