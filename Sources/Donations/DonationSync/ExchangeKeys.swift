import Basics
package import Donations

/// The digests under a zone's key by which rows and selectors are compared without their words.
///
/// Each digest says what it stands for and where each of its words ends, so that no two different
/// things give the same one. A domain's digest is made level by level, from that of the level
/// above: all prefixes cost as much as one.
package struct ExchangeKeys: Sendable {
    /// What a digest stands for that no selector names; numbers below 32 are those of
    /// ``DonationKey``.
    package enum Part: UInt8, Sendable {
        /// The zone itself: which incarnation of it a record was made for.
        case incarnation = 32
        case interactionName = 64
        case appIntentName, itemName, savedName, eventName, privateSavedName
    }

    private let key: [UInt8]
    private let digest: SyncDigest

    /// Digests that say nothing: to find out which selectors travel.
    static let blank = ExchangeKeys(
        key: [], digest: SyncDigest { _, _ in Array(repeating: 0, count: 32) })

    /// The digests under a key.
    package init(key: [UInt8], digest: SyncDigest) {
        self.key = key
        self.digest = digest
    }

    /// A digest of words: 32 hexadecimal digits.
    package func callAsFunction(_ key: DonationKey, _ words: String?...) -> String {
        self(key, words)
    }

    /// A digest of words: 32 hexadecimal digits.
    package func callAsFunction(_ key: DonationKey, _ words: [String?]) -> String {
        Self.short(full(key.rawValue, words.map { $0.map { Array($0.utf8) } }))
    }

    /// A digest without words: 32 hexadecimal digits.
    package func callAsFunction(_ part: Part) -> String { Self.short(full(part.rawValue, [])) }

    /// A record's name: `d-` and 64 hexadecimal digits.
    package func name(_ part: Part, _ words: [UInt8]?...) -> String {
        "d-" + Hexadecimal.encode(full(part.rawValue, words))
    }

    /// The digests of a domain and of all domains it lies in, outermost first; none for an empty
    /// one.
    package func domains(_ domain: String) -> [String] {
        guard !domain.isEmpty else { return [] }
        var above: [UInt8] = []
        return domain.utf8.split(separator: 0x2E, omittingEmptySubsequences: false).map { level in
            above = digest(
                key, [DonationKey.domain.rawValue, above.isEmpty ? 0 : 1] + above + level)
            return Self.short(above)
        }
    }

    /// The digest of one domain; nil for an empty one.
    package func domain(_ domain: String) -> String? { domains(domain).last }

    /// The digest of a part of a container, as a selector names it.
    package func link(into part: ContentLink) -> String {
        let owner = part.zone.map { _ in part.zoneOwner ?? "" }
        let record = part.zone.flatMap { _ in part.record }
        return self(.link, part.container, part.scope, part.zone, owner, record)
    }

    /// The digests of all parts that a link lies in.
    package func links(_ link: ContentLink) -> [String] {
        let scopes = link.scope.map { [nil, $0] } ?? [nil]
        return scopes.flatMap { (scope: String?) -> [String] in
            var part = ContentLink(container: link.container, scope: scope)
            var all = [self.link(into: part)]
            guard let zone = link.zone else { return all }
            part.zone = zone
            part.zoneOwner = link.zoneOwner
            all.append(self.link(into: part))
            guard let record = link.record else { return all }
            part.record = record
            all.append(self.link(into: part))
            return all
        }
    }

    private func full(_ number: UInt8, _ words: [[UInt8]?]) -> [UInt8] {
        var message = [number]
        for word in words {
            guard let word else {
                message.append(0)
                continue
            }
            message.append(1)
            for shift in stride(from: 0, to: 32, by: 8) {
                message.append(UInt8(truncatingIfNeeded: word.count >> shift))
            }
            message += word
        }
        return digest(key, message)
    }

    /// A digest as it is compared: its first half.
    private static func short(_ digest: [UInt8]) -> String {
        Hexadecimal.encode(Array(digest.prefix(16)))
    }
}
