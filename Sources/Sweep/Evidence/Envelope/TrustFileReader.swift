import Basics
import OpenSSL

/// Reads a trust file line by line.
struct TrustFileReader {
    private var entries: [TrustFile.Entry] = []
    private var name: String?
    private var times: [String: Timestamp] = [:]
    private var pem: [UInt8]?

    mutating func take(_ line: String, _ number: Int) throws(EvidenceError) {
        let text = line.hasSuffix("\r") ? String(line.dropLast()) : line
        if var key = pem {
            key += Array(text.utf8) + [0x0A]
            pem = key
            if text == "-----END PUBLIC KEY-----" { try end(key, number) }
            return
        }
        if text == "-----BEGIN PUBLIC KEY-----" {
            pem = Array(text.utf8) + [0x0A]
            return
        }
        guard !text.isEmpty, !text.hasPrefix("#") else { return }
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw Self.error(number, "neither a key nor \"name: …\"") }
        let value = String(parts[1].drop { $0 == " " })
        switch parts[0] {
        case "name" where name == nil && !value.isEmpty: name = value
        case "not-before", "not-after", "revoked-at":
            guard times[parts[0]] == nil, let time = Timestamp(iso8601: value) else {
                throw Self.error(number, "not a time such as 2026-01-15T08:30:00Z, or a second one")
            }
            times[parts[0]] = time
        default: throw Self.error(number, "not a line of a trust file")
        }
    }

    consuming func finish() throws(EvidenceError) -> [TrustFile.Entry] {
        guard pem == nil, name == nil, times.isEmpty else {
            throw EvidenceError(.unreadable, "the trust file ends in the middle of a key")
        }
        guard !entries.isEmpty else { throw EvidenceError(.unreadable, "not a public key in PEM") }
        return entries
    }

    private mutating func end(_ key: [UInt8], _ number: Int) throws(EvidenceError) {
        guard entries.count < TrustFile.keysMax else {
            throw Self.error(number, "more than \(TrustFile.keysMax) keys")
        }
        do throws(OpenSSLError) {
            let key = try VerifyingKey(pem: key)
            var entry = TrustFile.Entry(name: name ?? key.shortID, key: key)
            entry.notBefore = times["not-before"]
            entry.notAfter = times["not-after"]
            entry.revokedAt = times["revoked-at"]
            entries.append(entry)
        } catch {
            throw Self.error(number, error.reason)
        }
        pem = nil
        name = nil
        times = [:]
    }

    private static func error(_ line: Int, _ what: String) -> EvidenceError {
        EvidenceError(.unreadable, "trust file, line \(line): \(what)")
    }
}
