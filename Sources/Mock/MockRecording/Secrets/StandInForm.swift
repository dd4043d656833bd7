import Basics
private import OpenSSL

/// How stand-ins look: like what they stand for, as far as programs check that, and made of nothing but a
/// key and the secret.
struct StandInForm: Sendable {
    private let key: [UInt8]

    /// - Parameter key: New for each recording and kept nowhere: who has the file cannot try out names.
    init(key: [UInt8]) { self.key = key }

    private static let digits = Array("0123456789abcdef".utf8)
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// A stand-in.
    ///
    /// - Parameter attempt: Another one each, should one be taken.
    func standIn(for text: String, _ kind: SecretKind, attempt: Int) -> String {
        let seed = Array("\(kind.rawValue) \(attempt) \(text)".utf8)
        switch kind {
        case .token: return alike(text, seed)
        case .account: return "_" + hexadecimal(seed, 32)
        case .email: return "p" + hexadecimal(seed, 12) + "@example.com"
        case .phone:
            return "+1555" + String(decoding: bytes(seed, 9).map { 0x30 + $0 % 10 }, as: UTF8.self)
        case .person: return "Name" + hexadecimal(seed, 8)
        case .record: return isUUID(text) ? uuid(seed) : "record" + hexadecimal(seed, 16)
        }
    }

    /// For an address: hexadecimal digits.
    func address(_ url: String) -> String { hexadecimal(Array("address \(url)".utf8), 40) }

    /// Hexadecimal digits for hexadecimal digits, letters and digits for others, and the rest as it is.
    private func alike(_ text: String, _ seed: [UInt8]) -> String {
        let text = Array(text.utf8)
        let alphabet = text.allSatisfy(Self.digits.contains) ? Self.digits : Self.letters
        // Too short a one could be taken for anything.
        let count = max(text.count, 12)
        let random = bytes(seed, count)
        let characters = (0..<count).map { index in
            let isOther = index < text.count && !Self.letters.contains(text[index])
            return isOther && text[index] < 0x80
                ? text[index] : alphabet[Int(random[index]) % alphabet.count]
        }
        return String(decoding: characters, as: UTF8.self)
    }

    private func hexadecimal(_ seed: [UInt8], _ count: Int) -> String {
        String(Hexadecimal.encode(bytes(seed, (count + 1) / 2)).prefix(count))
    }

    private func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
                == [8, 4, 4, 4, 12]
    }

    private func uuid(_ seed: [UInt8]) -> String {
        let text = hexadecimal(seed, 32).uppercased()
        var parts: [Substring] = []
        var rest = text[...]
        for count in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return parts.joined(separator: "-")
    }

    private func bytes(_ seed: [UInt8], _ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var block: UInt8 = 0
        while bytes.count < count {
            bytes += HMACSHA256.authenticate(seed + [0, block], key: key)
            block &+= 1
        }
        return Array(bytes.prefix(count))
    }
}
