import Basics
import Evidence
import OpenSSL
import Testing

struct LogTests {
    private static func entries(_ count: Int) -> [[UInt8]] { (0..<count).map { utf8("e\($0)") } }
    private static func leaves(_ count: Int) -> [[UInt8]] { entries(count).map(MerkleTree.leaf) }

    @Test func `roots are those of other programs`() {
        #expect(hex(MerkleTree(leaves: Self.leaves(3)).root) == Vectors.treeRoot)
        #expect(
            Base64.encode(MerkleTree().root) == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
    }

    @Test func `the chain is SHA-256 over the hash before and the entry`() {
        var chain = HashChain()
        chain.append(utf8("a"))
        #expect(chain.head == SHA256.hash([UInt8](repeating: 0, count: 32) + utf8("a")))
    }

    @Test func `every entry of every tree is shown to be there, and nowhere else`() {
        for size in 1...39 {
            let leaves = Self.leaves(size)
            let root = MerkleTree(leaves: leaves).root
            for index in 0..<size {
                let path = MerkleProof.inclusion(of: index, in: leaves)
                func holds(
                    _ leaf: [UInt8], _ at: Int, _ size: Int, _ path: [[UInt8]]
                ) -> Bool {
                    MerkleProof.isIncluded(leaf, at: at, of: size, root: root, by: path)
                }
                #expect(holds(leaves[index], index, size, path))
                #expect(path.count <= 6)
                #expect(!holds(MerkleTree.leaf(utf8("x")), index, size, path))
                #expect(!holds(leaves[index], index + 1, size, path))
                #expect(!holds(leaves[index], -1, size, path))
                #expect(!holds(leaves[index], index, size, path + [root]))
                if let last = path.last {
                    #expect(!holds(leaves[index], index, size, path.dropLast()))
                    #expect(!holds(leaves[index], index, size, path.dropLast() + [last, last]))
                }
            }
        }
    }

    @Test func `a node cannot be shown as an entry`() {
        let leaves = Self.leaves(2)
        let root = MerkleTree(leaves: Self.leaves(4)).root
        let path = [MerkleTree(leaves: Self.leaves(4)[2...]).root]
        let entry = leaves[0] + leaves[1]
        #expect(
            !MerkleProof.isIncluded(MerkleTree.leaf(entry), at: 0, of: 2, root: root, by: path))
    }

    @Test func `a proof is of a tree of its size`() {
        let leaf = Self.leaves(1)[0]
        #expect(MerkleProof.isIncluded(leaf, at: 0, of: 1, root: leaf, by: []))
        #expect(!MerkleProof.isIncluded(leaf, at: 0, of: 2, root: leaf, by: []))
    }

    @Test func `every tree is shown to go on from every smaller one, and a fork is not`() {
        for size in 1...39 {
            let leaves = Self.leaves(size)
            let root = MerkleTree(leaves: leaves).root
            for old in 1...size {
                let oldRoot = MerkleTree(leaves: leaves[..<old]).root
                let path = MerkleProof.consistency(from: old, in: leaves)
                #expect(MerkleProof.isConsistent(old, oldRoot, with: size, root, by: path))
                let fork = MerkleTree(leaves: leaves[..<(old - 1)] + [MerkleTree.leaf([9])]).root
                #expect(!MerkleProof.isConsistent(old, fork, with: size, root, by: path))
                #expect(
                    !MerkleProof.isConsistent(old, oldRoot, with: size, oldRoot + [0], by: path))
                #expect(
                    !MerkleProof.isConsistent(old, oldRoot, with: size, root, by: path + [root]))
                #expect(!MerkleProof.isConsistent(size + 1, root, with: size, root, by: path))
                if old > 1 {
                    #expect(
                        !MerkleProof.isConsistent(old - 1, oldRoot, with: size, root, by: path))
                }
            }
        }
    }

    // MARK: Checkpoints

    @Test func `a checkpoint is byte for byte that of other programs`() throws {
        let key = try Vectors.key()
        let checkpoint = Checkpoint(
            origin: "cksweep.test/log", size: 3, root: MerkleTree(leaves: Self.leaves(3)).root)
        #expect(try checkpoint.signed(by: key) == utf8(Vectors.checkpoint))
        #expect(Checkpoint.verifierKey("cksweep.test/log", key.verifying) == Vectors.verifierKey)
        let read = try Checkpoint(utf8(Vectors.checkpoint), signedBy: [key.verifying])
        #expect(read == checkpoint)
    }

    @Test(arguments: [
        ("3\n", "03\n"), ("3\n", "4\n"), ("3\n", "-3\n"), ("/log\n3", "/lag\n3"), ("ZL", "ZM"),
        ("— cksweep.test/log", "— cksweep.test/lag"), ("\n\n", "\n"), ("RjGz", "RjGy"),
        ("—", "-"), ("cksweep.test/log\n", "cksweep test/log\n"), ("WiAA=\n", "WiAA="),
    ])
    func `a checkpoint that was changed is refused`(old: String, new: String) throws {
        let key = try Vectors.key().verifying
        var text = Vectors.checkpoint
        let range = try #require(text.firstRange(of: old))
        text.replaceSubrange(range, with: new)
        let error = #expect(throws: EvidenceError.self) {
            try Checkpoint(utf8(text), signedBy: [key])
        }
        #expect(error?.code == .checkpoint)
    }

    @Test func `a checkpoint of an unknown key is refused`() throws {
        let strange = try Vectors.strangeKey().verifying
        let error = #expect(throws: EvidenceError.self) {
            try Checkpoint(utf8(Vectors.checkpoint), signedBy: [strange])
        }
        #expect(error?.code == .checkpoint)
    }

    // MARK: Proofs of the ledger

    private func proof(_ index: Int = 1) throws -> LedgerProof {
        LedgerProof(
            index: index, path: MerkleProof.inclusion(of: index, in: Self.leaves(3)),
            note: utf8(Vectors.checkpoint))
    }

    @Test func `one entry is shown without the others`() throws {
        let key = try Vectors.key().verifying
        let read = try LedgerProof(try proof().bytes)
        #expect(read == (try proof()))
        #expect(try read.check(utf8("e1"), signedBy: [key]).size == 3)
        let error = #expect(throws: EvidenceError.self) {
            try read.check(utf8("e2"), signedBy: [key])
        }
        #expect(error?.code == .inclusion)
    }

    @Test(arguments: [
        ("@v1", "@v2"), ("index 1", "index 01"), ("index 1", "index 2"), ("index", "place"),
    ])
    func `a proof that was changed is refused`(old: String, new: String) throws {
        let key = try Vectors.key().verifying
        let text = String(decoding: try proof().bytes, as: UTF8.self).replacing(old, with: new)
        let error = #expect(throws: EvidenceError.self) {
            try LedgerProof(utf8(text)).check(utf8("e1"), signedBy: [key])
        }
        #expect(error?.code == .inclusion)
    }
}
