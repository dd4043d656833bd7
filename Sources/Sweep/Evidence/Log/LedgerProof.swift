import Basics
import OpenSSL

/// That one entry stands in a ledger, shown without the others (C2SP `tlog-proof`): its place, the
/// hashes that lead to the root, and the checkpoint.
///
/// - SeeAlso: <https://c2sp.org/tlog-proof>
package struct LedgerProof: Sendable, Hashable {
    package let index: Int
    package let path: [[UInt8]]
    /// The signed note, as it stands in the file.
    package let note: [UInt8]

    private static let opening = "c2sp.org/tlog-proof@v1"
    private static let bytesMax = 1 << 17

    package init(index: Int, path: [[UInt8]], note: [UInt8]) {
        self.index = index
        self.path = path
        self.note = note
    }

    package var bytes: [UInt8] {
        var text = "\(Self.opening)\nindex \(index)\n"
        for hash in path { text += Base64.encode(hash) + "\n" }
        return Array((text + "\n").utf8) + note
    }

    /// - Throws: `inclusion` when it is something else.
    package init(_ bytes: [UInt8]) throws(EvidenceError) {
        let wrong = EvidenceError(.inclusion, "not a proof of a ledger")
        guard bytes.count <= Self.bytesMax else { throw wrong }
        let lines = bytes.split(
            separator: 0x0A, maxSplits: 3 + MerkleProof.hashesMax,
            omittingEmptySubsequences: false)
        let words = lines.map { String(decoding: $0, as: UTF8.self) }
        guard words.count > 2, words[0] == Self.opening, words[1].hasPrefix("index "),
            let index = Int(words[1].dropFirst(6)), index >= 0,
            "index \(index)" == words[1],
            let end = words.dropFirst(2).firstIndex(of: "")
        else { throw wrong }
        var path: [[UInt8]] = []
        for word in words[2..<end] {
            guard let hash = Base64.decode(word), hash.count == SHA256.byteCount else {
                throw wrong
            }
            path.append(hash)
        }
        let start = lines[...end].reduce(0) { $0 + $1.count + 1 }
        self.init(index: index, path: path, note: Array(bytes.dropFirst(start)))
    }

    /// The checkpoint, when `entry` stands in the ledger at the place that is said.
    ///
    /// - Throws: `inclusion`, `checkpoint`.
    package func check(
        _ entry: [UInt8], signedBy keys: [VerifyingKey]
    ) throws(EvidenceError) -> Checkpoint {
        let checkpoint = try Checkpoint(note, signedBy: keys)
        guard
            MerkleProof.isIncluded(
                MerkleTree.leaf(entry), at: index, of: checkpoint.size, root: checkpoint.root,
                by: path)
        else {
            throw EvidenceError(
                .inclusion,
                "the ledger does not have this entry in that position")
        }
        return checkpoint
    }
}
