import OpenSSL

/// The tree of hashes of RFC 6962, built while entries come: its state is one hash a level.
///
/// Leaves and nodes are hashed behind different bytes, so that no node can be shown as a leaf.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc9162#section-2.1>
package struct MerkleTree: Sendable {
    /// Roots of the whole subtrees so far, the largest first, with how many leaves each has.
    private var subtrees: [(leaves: Int, root: [UInt8])] = []
    /// How many entries there are.
    package private(set) var count = 0

    package init() {}

    package init(leaves: some Sequence<[UInt8]>) {
        for leaf in leaves { append(leaf: leaf) }
    }

    package static func leaf(_ entry: [UInt8]) -> [UInt8] { SHA256.hash([0] + entry) }

    package static func node(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        SHA256.hash([1] + left + right)
    }

    package mutating func append(_ entry: [UInt8]) { append(leaf: Self.leaf(entry)) }

    /// Adds the hash of an entry.
    package mutating func append(leaf: [UInt8]) {
        var new = (leaves: 1, root: leaf)
        while let last = subtrees.last, last.leaves == new.leaves {
            subtrees.removeLast()
            new = (last.leaves * 2, Self.node(last.root, new.root))
        }
        subtrees.append(new)
        count += 1
    }

    /// The root; of no entries at all, the hash of nothing.
    package var root: [UInt8] {
        guard var root = subtrees.last?.root else { return SHA256.hash([]) }
        for subtree in subtrees.dropLast().reversed() { root = Self.node(subtree.root, root) }
        return root
    }
}
