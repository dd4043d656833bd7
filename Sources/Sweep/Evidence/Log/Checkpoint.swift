import Basics
package import OpenSSL

/// What a ledger is at one moment: how many entries, and their root, signed (C2SP `tlog-checkpoint`
/// as a signed note).
///
/// - SeeAlso: <https://c2sp.org/tlog-checkpoint>
package struct Checkpoint: Sendable, Hashable {
    /// The ledger's name.
    package let origin: String
    package let size: Int
    package let root: [UInt8]

    /// Bytes of a signed note.
    private static let bytesMax = 1 << 16
    /// Signatures of a note; others than ours are passed over.
    private static let signaturesMax = 16

    package init(origin: String, size: Int, root: [UInt8]) {
        self.origin = origin
        self.size = size
        self.root = root
    }

    /// The lines that are signed.
    package var text: String { "\(origin)\n\(size)\n\(Base64.encode(root))\n" }

    /// What signatures of a key are marked with: the beginning of a hash of its name and bytes.
    private static func mark(_ name: String, _ key: VerifyingKey) -> [UInt8] {
        Array(SHA256.hash(Array("\(name)\n".utf8) + [1] + key.key.bytes).prefix(4))
    }

    /// The key as programs for signed notes take it.
    package static func verifierKey(_ name: String, _ key: VerifyingKey) -> String {
        "\(name)+\(Hexadecimal.encode(mark(name, key)))+"
            + Base64.encode([1] + key.key.bytes)
    }

    /// The checkpoint with a signature, under the ledger's name.
    package func signed(by key: SigningKey) throws(OpenSSLError) -> [UInt8] {
        let signature = try key.sign(Array(text.utf8))
        let line = Base64.encode(Self.mark(origin, key.verifying) + signature)
        return Array("\(text)\n\u{2014} \(origin) \(line)\n".utf8)
    }

    /// Refuses a proof's checkpoint that is older than this one, which somebody has kept: what has
    /// become of the ledger since could be left out of it.
    ///
    /// - Throws: `checkpoint`; `ledger` when both cannot be of one ledger.
    func check(isNotLaterThan shown: Checkpoint) throws(EvidenceError) {
        guard shown.origin == origin else {
            throw EvidenceError(.checkpoint, "the kept checkpoint is of another ledger")
        }
        guard shown.size >= size else {
            throw EvidenceError(
                .checkpoint,
                "the proof is too old: its checkpoint has \(shown.size) entries, the kept one "
                    + "\(size)")
        }
        guard shown.size > size || shown.root == root else {
            throw EvidenceError(.ledger, "the ledger differs from the one of the checkpoint")
        }
    }

    /// Reads a checkpoint that one of these keys has signed.
    ///
    /// - Throws: `checkpoint`.
    package init(
        _ bytes: [UInt8], signedBy keys: [VerifyingKey]
    ) throws(EvidenceError) {
        guard bytes.count <= Self.bytesMax else {
            throw EvidenceError(.checkpoint, "a checkpoint of more than \(Self.bytesMax) bytes")
        }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count >= 6, lines.count <= 5 + Self.signaturesMax, lines[3].isEmpty,
            lines.last == "", let size = Int(lines[1]), size >= 0, "\(size)" == lines[1],
            let root = Base64.decode(lines[2]), root.count == SHA256.byteCount,
            !lines[0].isEmpty, !lines[0].contains("+"), !lines[0].contains(" ")
        else { throw EvidenceError(.checkpoint, "not a checkpoint") }
        self.init(origin: lines[0], size: size, root: root)
        guard self.text == lines[..<3].map({ $0 + "\n" }).joined() else {
            throw EvidenceError(.checkpoint, "not a checkpoint in canonical form")
        }
        let message = Array(self.text.utf8)
        for line in lines[4...].dropLast() {
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0] == "\u{2014}" else {
                throw EvidenceError(.checkpoint, "not a signature of a checkpoint")
            }
            guard parts[1] == origin, let signature = Base64.decode(String(parts[2])) else {
                continue
            }
            for key in keys
            where signature.prefix(4).elementsEqual(Self.mark(origin, key))
                && key.verify(Array(signature.dropFirst(4)), of: message)
            {
                return
            }
        }
        throw EvidenceError(
            .checkpoint, "the checkpoint is not signed by a trusted key")
    }
}
