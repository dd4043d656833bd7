/// How large a file is, and what it is.
struct FileDigest: Sendable, Hashable {
    let bytes: Int64
    /// SHA-256 in hexadecimal.
    let sha256: String
}
