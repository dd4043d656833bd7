public import Foundation

/// An amount of money.
public final class INCurrencyAmount: NSObject, NSCopying, NSSecureCoding {
    /// How much.
    public let amount: NSDecimalNumber?
    /// Of which currency, such as `EUR`.
    public let currencyCode: String?

    /// An amount of money.
    public init(amount: NSDecimalNumber, currencyCode: String) {
        self.amount = amount
        self.currencyCode = currencyCode
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The value that an archive holds; nil when it cannot be read.
    public convenience init?(coder: NSCoder) { self.init(archivedIn: coder) }

    public func encode(with coder: NSCoder) { archive(in: coder) }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INCurrencyAmount else { return false }
        return amount == other.amount && currencyCode == other.currencyCode
    }

    public override var hash: Int { currencyCode.hashValue }
}

extension INCurrencyAmount: StorableValue {
    var storedParts: [String: Any?] { ["amount": amount, "currencyCode": currencyCode] }

    static func restore(_ parts: [String: Any]) -> Self? {
        guard let amount = parts["amount"] as? NSDecimalNumber,
            let code = parts["currencyCode"] as? String
        else { return nil }
        return Self(amount: amount, currencyCode: code)
    }
}
