internal import Donations
internal import Foundation

/// Keeps the place that an activity is about.
private struct PlaceAttachment: ActivityAttachment {
    /// A copy that nobody else holds, read only through copies of it.
    let item: MKMapItem

    func contribute(to donation: inout Donation) {
        donation.displayName = donation.displayName ?? item.name
        donation.mentions += [item.name, item.phoneNumber].compactMap { $0 }
    }

    var payloadEntries: [String: PayloadValue] {
        var place: [String: PayloadValue] = [:]
        place["name"] = item.name.map { .string($0) }
        place["phoneNumber"] = item.phoneNumber.map { .string($0) }
        place["url"] = item.url.map { .url($0.absoluteString) }
        return ["mapItem": .dictionary(place)]
    }
}

extension NSUserActivity {
    /// The place that the activity is about; copied when set and when read.
    ///
    /// Its name is searched like a display name. Unlike on Apple's systems the attribute set of
    /// Core Spotlight does not change with it.
    public var mapItem: MKMapItem? {
        get { attachment(PlaceAttachment.self).map { $0.item.copied } }
        set { attach(newValue.map { PlaceAttachment(item: $0.copied) }, as: PlaceAttachment.self) }
    }

    /// What was read from a tag: one empty record, as Apple gives when there was none. There is no
    /// reader here.
    public var ndefMessagePayload: NFCNDEFMessage { .empty }

    /// The code that a camera saw: always nil, there is no camera here.
    public var detectedBarcodeDescriptor: CIBarcodeDescriptor? { nil }

    /// What started an App Clip: always nil, there are no App Clips here.
    public var appClipActivationPayload: APActivationPayload? { nil }
}
