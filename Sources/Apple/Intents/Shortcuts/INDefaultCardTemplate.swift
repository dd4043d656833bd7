internal import Donations
public import Foundation

/// What a card on the watch face says: data, there is no face here.
public final class INDefaultCardTemplate: NSObject, NSCopying {
    /// The upper line.
    public var title: String
    /// The lower line.
    public var subtitle: String?
    /// The picture; only its name or address is stored.
    public var image: INImage?

    /// A card with a line.
    public init(title: String) { self.title = title }

    /// A card with the same lines.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = INDefaultCardTemplate(title: title)
        copy.subtitle = subtitle
        copy.image = image
        return copy
    }

    func stored() throws(StoredValue.Failure) -> PayloadValue {
        var parts: [String: PayloadValue] = ["title": .string(title)]
        parts["subtitle"] = subtitle.map { .string($0) }
        if let image { parts["image"] = try StoredValue.encode(image.reference) }
        return .dictionary(parts)
    }
}
