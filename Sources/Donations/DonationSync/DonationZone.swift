package import CloudModel

/// The zone that an app's donations are synced in: `Donations-` and the digest of its bundle.
package struct DonationZone: Sendable, Hashable {
    package let zoneID: RecordZone.ID
    private static let prefix = "Donations-"

    /// The zone of an app.
    /// - Parameter bundleDigest: Hexadecimal digits.
    /// - Precondition: 1 to 64 lower-case hexadecimal digits.
    package init(bundleDigest: String) {
        precondition(bundleDigest.isHexadecimalName, "not a digest")
        zoneID = RecordZone.ID(Self.prefix + bundleDigest)
    }

    /// Whether a zone holds donations, of whichever app: it is no content.
    package static func isDonationZone(_ id: RecordZone.ID) -> Bool {
        id.zoneName.hasPrefix(prefix) && id.zoneName.dropFirst(prefix.count).isHexadecimalName
    }
}

extension StringProtocol {
    /// Whether it is 1 to 64 lower-case hexadecimal digits.
    var isHexadecimalName: Bool {
        !isEmpty && utf8.count <= 64
            && utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
