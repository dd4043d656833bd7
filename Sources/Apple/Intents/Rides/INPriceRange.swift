public import Foundation

/// What something costs, from and to.
public final class INPriceRange: INValueObject {
    /// Between two prices, in any order.
    public convenience init(
        firstPrice: NSDecimalNumber, secondPrice: NSDecimalNumber, currencyCode: String
    ) {
        let isRising = firstPrice.compare(secondPrice) != .orderedDescending
        self.init([
            "minimumPrice": isRising ? firstPrice : secondPrice,
            "maximumPrice": isRising ? secondPrice : firstPrice, "currencyCode": currencyCode,
        ])
    }

    /// Up to a price.
    public convenience init(maximumPrice: NSDecimalNumber, currencyCode: String) {
        self.init(["maximumPrice": maximumPrice, "currencyCode": currencyCode])
    }

    /// From a price on.
    public convenience init(minimumPrice: NSDecimalNumber, currencyCode: String) {
        self.init(["minimumPrice": minimumPrice, "currencyCode": currencyCode])
    }

    /// One price.
    public convenience init(price: NSDecimalNumber, currencyCode: String) {
        self.init(firstPrice: price, secondPrice: price, currencyCode: currencyCode)
    }

    /// The least; nil: not known.
    public var minimumPrice: NSDecimalNumber? { value("minimumPrice") }
    /// The most; nil: not known.
    public var maximumPrice: NSDecimalNumber? { value("maximumPrice") }
    /// The currency (ISO 4217).
    public var currencyCode: String { value("currencyCode") ?? "" }
}

/// What somebody pays with.
public final class INPaymentMethod: INValueObject {
    /// A way to pay.
    public convenience init(
        type: INPaymentMethodType, name: String?, identificationHint: String?, icon: INImage?
    ) {
        self.init([
            "type": type, "name": name, "identificationHint": identificationHint, "icon": icon,
        ])
    }

    /// Apple Pay.
    public class func applePay() -> Self { Self(["type": INPaymentMethodType.applePay]) }

    /// What kind.
    public var type: INPaymentMethodType { value("type") ?? .unknown }
    /// What people call it.
    public var name: String? { value("name") }
    /// What tells it from others, such as the last digits.
    public var identificationHint: String? { value("identificationHint") }
    /// A picture; not stored.
    public var icon: INImage? { value("icon") }
}
