public import Foundation

/// The index delegate of an extension, which answers while the app does not run.
///
/// Subclass it and override the two methods. As they stand they answer with nothing and never
/// acknowledge, so that nothing is removed.
open class CSIndexExtensionRequestHandler: NSObject, CSSearchableIndexDelegate {
    /// A handler.
    public override init() { super.init() }

    /// Asks to index everything again.
    open func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
            @escaping @Sendable () -> Void
    ) {}

    /// Asks to index these items again.
    open func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping @Sendable () -> Void
    ) {}
}
