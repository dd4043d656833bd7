internal import Donations
public import FoundationEssentials

extension DonationConfiguration {
    /// Takes over what an app declares in its `Info.plist`: the activity types, in the order of the
    /// file, and its own name where none was given.
    ///
    /// - Parameter propertyList: The file's bytes: a property list, XML or binary, or JSON.
    /// - Returns: What is wrong with the file, in words; it is taken over all the same.
    /// - Throws: `DonationError` with code `invalid` when the bytes are none of these.
    @discardableResult
    public mutating func declare(propertyList: Data) throws(DonationError) -> [String] {
        guard let value = ManifestFile.read([UInt8](propertyList)) else {
            throw DonationError(.invalid, "neither a property list nor JSON")
        }
        let manifest = Manifest(value)
        if bundleIdentifier.isEmpty { bundleIdentifier = manifest.bundleIdentifier ?? "" }
        if !manifest.activityTypes.isEmpty {
            activityTypes = Set(manifest.activityTypes)
            firstActivityType = manifest.activityTypes.first
        }
        return manifest.findings.map(\.message)
    }
}
