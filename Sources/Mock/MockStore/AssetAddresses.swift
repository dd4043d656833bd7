import Basics
import CloudModel
import OpenSSL

/// Makes and reads addresses and receipts of assets. Nobody else can make them: each carries a keyed
/// digest, so what was given out needs not be remembered.
package struct AssetAddresses: Sendable {
    /// What a download's address says.
    struct Download: Hashable {
        /// The database through which it was read.
        var db: Int64 = 0
        /// The zone that the record is kept under.
        var zone: Int64 = 0
        var field = AssetField("", "")
        var digest = ""
        /// Milliseconds since 1970.
        var expires: Int64 = 0
    }

    private let key: [UInt8]
    private static let tagBytes = 16

    package init(key: [UInt8]) { self.key = key }

    /// The path of an upload's address.
    func upload(_ id: Int64) -> String { Hexadecimal.encode(sealed(number(id), "upload")) }

    /// The upload whose path this is.
    func upload(path: String) -> Int64? {
        Hexadecimal.decode(path).flatMap { opened($0, "upload") }.flatMap(number)
    }

    /// Proof of an upload.
    func receipt(_ id: Int64) -> String { Base64.encode(sealed(number(id), "receipt")) }

    /// The upload that a receipt proves.
    func upload(receipt: String) -> Int64? {
        Base64.decode(receipt).flatMap { opened($0, "receipt") }.flatMap(number)
    }

    /// The path of a download's address.
    func download(_ download: Download) -> String {
        var (download, coder) = (download, RowCoder(reserving: 128))
        Self.code(&download, &coder)
        return Hexadecimal.encode(sealed(coder.bytes, "download"))
    }

    /// The download whose path this is.
    func download(path: String) -> Download? {
        guard let bytes = Hexadecimal.decode(path).flatMap({ opened($0, "download") }) else {
            return nil
        }
        var (download, coder) = (Download(), RowCoder(reading: bytes))
        Self.code(&download, &coder)
        return coder.isAtEnd ? download : nil
    }

    private static func code(_ download: inout Download, _ coder: inout RowCoder) {
        coder.signed(&download.db)
        coder.signed(&download.zone)
        coder.string(&download.field.recordName)
        coder.string(&download.field.fieldName)
        coder.string(&download.digest)
        coder.signed(&download.expires)
    }

    private func number(_ id: Int64) -> [UInt8] {
        var (value, coder) = (UInt64(bitPattern: id), RowCoder(reserving: 8))
        coder.fixed(&value)
        return coder.bytes
    }

    private func number(_ bytes: [UInt8]) -> Int64? {
        var (value, coder) = (UInt64(0), RowCoder(reading: bytes))
        coder.fixed(&value)
        return coder.isAtEnd ? Int64(bitPattern: value) : nil
    }

    private func sealed(_ content: [UInt8], _ purpose: String) -> [UInt8] {
        content + tag(content, purpose)
    }

    private func opened(_ bytes: [UInt8], _ purpose: String) -> [UInt8]? {
        guard bytes.count > Self.tagBytes else { return nil }
        let content = Array(bytes.dropLast(Self.tagBytes))
        guard equalInConstantTime(Array(bytes.suffix(Self.tagBytes)), tag(content, purpose)) else {
            return nil
        }
        return content
    }

    private func tag(_ content: [UInt8], _ purpose: String) -> [UInt8] {
        Array(
            HMACSHA256.authenticate(Array("asset \(purpose) ".utf8) + content, key: key)
                .prefix(Self.tagBytes))
    }
}
