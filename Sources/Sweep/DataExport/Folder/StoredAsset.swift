/// The bytes of an asset in the folder.
package struct StoredAsset: Sendable, Hashable {
    package let bytes: Int64
    /// SHA-256 in hexadecimal; the file's name.
    package let sha256: String
    /// Whether the service's own checksum says the same. False where its form is not known.
    package let isConfirmed: Bool

    var path: String { ExportPath.asset(sha256) }
}
