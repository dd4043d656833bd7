import CloudModel
public import Foundation

/// A file kept beside a record.
///
/// Files are neither sent nor fetched here: saving a record with an asset made from a file fails with
/// `assetNotAvailable`, and a fetched asset has no ``fileURL``. An asset that came with a record
/// can be saved back.
public final class CKAsset: NSObject, Sendable {
    /// Where the file is; nil for one that was not downloaded.
    public let fileURL: URL?
    /// What the service knows of the file; nil for one that was not uploaded.
    let stored: Asset?

    /// An asset of a file on this machine.
    public init(fileURL: URL) {
        self.fileURL = fileURL
        stored = nil
    }

    init(_ asset: Asset) {
        fileURL = nil
        stored = asset
    }

    /// Whether two assets are of the same file.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKAsset else { return false }
        return fileURL == other.fileURL && stored == other.stored
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int { fileURL.hashValue ^ stored.hashValue }
}
