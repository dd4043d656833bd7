import CloudModel
public import Foundation

/// A file kept beside a record. Mirrors Apple's `CKAsset`.
///
/// The file of a new asset is sent when its record is saved: it has to be there until then, is
/// neither moved nor removed, and only its bytes are kept, not its name. The file of a fetched asset
/// is a temporary one, which is removed with the last object that stands for the asset, at the latest
/// some time after the process has ended: move it or copy it to keep it. An asset of the server's
/// record in a conflict has no file.
///
/// One asset belongs to one field of one record. A fetched one that is saved in another is sent again.
public final class CKAsset: NSObject, Sendable {
    /// Where the file is; nil for one that was not fetched.
    public let fileURL: URL?
    /// What the service knows of the file; nil for one that was not sent.
    let stored: Asset?
    /// The field that it was read from or saved in.
    private let place: AssetPlace?
    /// Keeps the file for as long as this lives.
    private let staged: StagedFile?

    /// An asset of a file on this machine.
    public convenience init(fileURL: URL) {
        self.init(fileURL: fileURL, stored: nil, at: nil, staged: nil)
    }

    /// An asset of a field without its file.
    convenience init(_ stored: Asset) {
        self.init(fileURL: nil, stored: stored, at: nil, staged: nil)
    }

    /// A fetched asset.
    convenience init(_ stored: Asset, at place: AssetPlace, _ staged: StagedFile) {
        self.init(
            fileURL: URL(fileURLWithPath: staged.path), stored: stored, at: place, staged: staged)
    }

    private init(fileURL: URL?, stored: Asset?, at place: AssetPlace?, staged: StagedFile?) {
        self.fileURL = fileURL
        self.stored = stored
        self.place = place
        self.staged = staged
    }

    /// The same file, as the service has it in a field.
    func saved(as stored: Asset, at place: AssetPlace) -> CKAsset {
        CKAsset(fileURL: fileURL, stored: stored, at: place, staged: staged)
    }

    /// What a field's value is without sending the file; nil: it has to be sent.
    func value(at place: AssetPlace) -> Asset? {
        fileURL == nil || self.place == place ? stored : nil
    }

    /// Whether two assets are of the same file.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKAsset else { return false }
        return fileURL == other.fileURL && stored == other.stored
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int { fileURL.hashValue ^ stored.hashValue }
}

/// A field that has an asset.
struct AssetPlace: Sendable, Equatable {
    let recordID: CKRecord.ID
    let key: String
}
