internal import AsyncOperations
internal import CoreLocation
internal import Donations
public import Foundation

/// What a search finds an item by, and what it shows of it.
///
/// An attribute that was never set is nil; setting one to nil is remembered, so that an update
/// removes it (see ``CSSearchableItem/isUpdate``).
///
/// Unchecked: all that can change is in `values`, behind its lock.
/// - SeeAlso: <https://developer.apple.com/documentation/corespotlight/cssearchableitemattributeset>
open class CSSearchableItemAttributeSet: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let values: Locked<[String: PayloadValue]>

    /// An empty set for content of a type.
    public convenience init(contentType: UTType) {
        self.init(itemContentType: contentType.identifier)
    }

    /// An empty set for content of the type with this identifier.
    public init(itemContentType type: String) {
        values = Locked(["contentType": .string(type)])
        super.init()
    }

    init(_ values: [String: PayloadValue]) {
        self.values = Locked(values)
        super.init()
    }

    // MARK: Archives

    open class var supportsSecureCoding: Bool { true }

    /// The attributes that an archive holds; nil when they cannot be read.
    public required init?(coder: NSCoder) {
        guard let data = coder.decodeIfThere(NSData.self, "attributes"),
            let kept = try? PayloadValue(decoding: [UInt8](Data(referencing: data))).namedValues
        else { return nil }
        values = Locked(kept)
        super.init()
    }

    open func encode(with coder: NSCoder) {
        let kept = PayloadValue.dictionary(snapshot).encoded
        coder.encode(NSData(data: Data(kept)), forKey: "attributes")
    }

    /// A set with the same attributes.
    open func copy(with zone: NSZone? = nil) -> Any { CSSearchableItemAttributeSet(snapshot) }

    /// The attributes as they are now, those set to nil included.
    var snapshot: [String: PayloadValue] { values.withLock { $0 } }

    /// Reads or sets one attribute by its name.
    subscript<Value: AttributeValue>(name: String) -> Value? {
        get { values.withLock { $0[name] }.flatMap(Value.init(attribute:)) }
        set {
            let value = newValue?.attribute ?? .null
            values.withLock { $0[name] = value }
        }
    }

    // MARK: Attributes of the app's own

    /// Sets an attribute that only the app knows. Texts, numbers, dates, data, addresses and
    /// arrays of those are kept; anything else counts as nil.
    open func setValue(_ value: (any NSSecureCoding)?, forCustomKey key: CSCustomAttributeKey) {
        let payload = value.flatMap { try? PayloadValue(object: $0) } ?? .null
        values.withLock { $0[key.keyName] = payload }
    }

    /// The value of an attribute that only the app knows.
    open func value(forCustomKey key: CSCustomAttributeKey) -> (any NSSecureCoding)? {
        guard let value = values.withLock({ $0[key.keyName] }) else { return nil }
        return value.codingObject
    }
}
