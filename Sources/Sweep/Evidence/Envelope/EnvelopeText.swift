import Basics

/// Base64 as envelopes have it: with padding, in the standard alphabet or in the one for addresses.
enum EnvelopeText {
    /// - Throws: `base64` for anything else, also for both alphabets in one text and for bits that
    ///   stand for nothing.
    static func decode(_ text: String) throws(EvidenceError) -> [UInt8] {
        let isForAddresses = text.utf8.contains { $0 == 0x2D || $0 == 0x5F }
        let isStandard = text.utf8.contains { $0 == 0x2B || $0 == 0x2F }
        let standard = String(
            decoding: text.utf8.map { $0 == 0x2D ? 0x2B : $0 == 0x5F ? 0x2F : $0 },
            as: UTF8.self)
        guard !(isForAddresses && isStandard), let bytes = Base64.decode(standard),
            Base64.encode(bytes) == standard
        else { throw EvidenceError(.base64, "base64 with invalid characters") }
        return bytes
    }
}
