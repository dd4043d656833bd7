/// A file kept beside a record. Mirrors `CKAsset` as far as the wire shows it.
package struct Asset: Sendable, Hashable {
    package var fileChecksum: String
    /// Bytes.
    package var size: Int64
    package var referenceChecksum: String?
    package var wrappingKey: String?
    /// Proof of an upload; sent when the asset is attached.
    package var receipt: String?
    /// Where the bytes can be had; only in answers.
    package var downloadURL: String?

    package init(fileChecksum: String, size: Int64) {
        self.fileChecksum = fileChecksum
        self.size = size
    }
}
