public import Foundation

/// Says what is in files of a kind, for the index: subclass it and override the one method.
///
/// Nothing here looks for files by itself; a program that plays the index calls the method.
open class CSImportExtension: NSObject {
    /// An extension.
    public override init() { super.init() }

    /// Fills in what the file at an address is about.
    ///
    /// - Throws: Whatever the app throws when it cannot read the file.
    open func update(
        _ attributes: CSSearchableItemAttributeSet, forFileAt contentURL: URL
    ) throws {}
}
