import OpenSSL

/// What a statement says of the events of its run: enough to find out any change of them.
package struct EventDigest: Sendable, Hashable {
    package var count: Int
    /// Bytes of the file, one event a line.
    package var bytes: Int
    /// SHA-256 of the file, in hexadecimal like the other two.
    package var sha256: String
    /// The end of the chain over the events.
    package var chainHead: String
    /// The root of the tree over the events.
    package var root: String

    var canonical: CanonicalValue {
        .object([
            ("bytes", .number(Int64(bytes))), ("chainHead", .text(chainHead)),
            ("count", .number(Int64(count))), ("root", .text(root)), ("sha256", .text(sha256)),
        ])
    }

    package init(count: Int, bytes: Int, sha256: String, chainHead: String, root: String) {
        self.count = count
        self.bytes = bytes
        self.sha256 = sha256
        self.chainHead = chainHead
        self.root = root
    }

    init(_ members: consuming Members) throws(EvidenceError) {
        self.init(
            count: try members.count("count"), bytes: try members.count("bytes"),
            sha256: try members.digest("sha256"), chainHead: try members.digest("chainHead"),
            root: try members.digest("root"))
        try members.finish()
    }
}
