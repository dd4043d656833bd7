/// Proofs over a tree of hashes: that one entry is in it, and that it only grew.
///
/// They are made from all leaves and checked with a few hashes; both go by size, never by what the
/// other side says of the tree's form.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3>
package enum MerkleProof {
    /// Hashes of the longest proof: of a tree of 2^63 leaves.
    package static let hashesMax = 63

    // MARK: Making

    /// The hashes that lead from a leaf to the root.
    ///
    /// - Precondition: `index` is one of `leaves`.
    package static func inclusion(of index: Int, in leaves: [[UInt8]]) -> [[UInt8]] {
        precondition(leaves.indices.contains(index), "no such entry")
        var path: [[UInt8]] = []
        var range = leaves[...]
        while range.count > 1 {
            let split = range.startIndex + largestPower(below: range.count)
            if index < split {
                path.append(MerkleTree(leaves: range[split...]).root)
                range = range[..<split]
            } else {
                path.append(MerkleTree(leaves: range[..<split]).root)
                range = range[split...]
            }
        }
        return path.reversed()
    }

    /// The hashes that show that the first `size` leaves are the tree of then.
    ///
    /// - Precondition: `size` is between 1 and the number of leaves.
    package static func consistency(from size: Int, in leaves: [[UInt8]]) -> [[UInt8]] {
        precondition((1...leaves.count).contains(size), "a size that the tree never had")
        var path: [[UInt8]] = []
        var range = leaves[...]
        var old = size
        var isWhole = true
        while old != range.count {
            let split = largestPower(below: range.count)
            let middle = range.startIndex + split
            if old <= split {
                path.append(MerkleTree(leaves: range[middle...]).root)
                range = range[..<middle]
            } else {
                path.append(MerkleTree(leaves: range[..<middle]).root)
                range = range[middle...]
                old -= split
                isWhole = false
            }
        }
        if !isWhole { path.append(MerkleTree(leaves: range).root) }
        return path.reversed()
    }

    /// The largest power of two below a number of at least 2.
    private static func largestPower(below count: Int) -> Int {
        1 << (Int.bitWidth - 1 - (count - 1).leadingZeroBitCount)
    }

    // MARK: Checking

    /// Whether a leaf stands at `index` of the tree of this size and root.
    package static func isIncluded(
        _ leaf: [UInt8], at index: Int, of size: Int, root: [UInt8], by path: [[UInt8]]
    ) -> Bool {
        guard index >= 0, index < size, path.count <= hashesMax else { return false }
        var (place, last, hash) = (index, size - 1, leaf)
        for sibling in path {
            guard last > 0 else { return false }
            if place & 1 == 1 || place == last {
                hash = MerkleTree.node(sibling, hash)
                while place & 1 == 0, place > 0 {
                    place >>= 1
                    last >>= 1
                }
            } else {
                hash = MerkleTree.node(hash, sibling)
            }
            place >>= 1
            last >>= 1
        }
        return last == 0 && hash == root
    }

    /// Whether a tree of `size` leaves is the beginning of one of `newSize`.
    package static func isConsistent(
        _ size: Int, _ root: [UInt8], with newSize: Int, _ newRoot: [UInt8], by path: [[UInt8]]
    ) -> Bool {
        guard size > 0, size <= newSize, path.count <= 2 * hashesMax else { return false }
        if size == newSize { return path.isEmpty && root == newRoot }
        var hashes = path
        // A whole subtree is its own beginning, and is left out of the proof.
        if size & (size - 1) == 0 { hashes.insert(root, at: 0) }
        guard let first = hashes.first else { return false }
        var (place, last) = (size - 1, newSize - 1)
        while place & 1 == 1 {
            place >>= 1
            last >>= 1
        }
        var (old, new) = (first, first)
        for hash in hashes.dropFirst() {
            guard last > 0 else { return false }
            if place & 1 == 1 || place == last {
                old = MerkleTree.node(hash, old)
                new = MerkleTree.node(hash, new)
                while place & 1 == 0, place > 0 {
                    place >>= 1
                    last >>= 1
                }
            } else {
                new = MerkleTree.node(new, hash)
            }
            place >>= 1
            last >>= 1
        }
        return last == 0 && old == root && new == newRoot
    }
}
