public import Foundation

/// Who drives.
public final class INRideDriver: INPerson {
    /// How others rate the driver, in words.
    public private(set) var rating: String?
    /// Where to call the driver.
    public private(set) var phoneNumber: String?

    /// A driver.
    public convenience init(
        phoneNumber: String, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, rating: String?
    ) {
        self.init(
            personHandle: INPersonHandle(value: phoneNumber, type: .phoneNumber),
            nameComponents: nameComponents, displayName: displayName, image: image,
            contactIdentifier: nil, customIdentifier: nil)
        self.phoneNumber = phoneNumber
        self.rating = rating
    }

    override var details: [String: Any?] { ["rating": rating, "phoneNumber": phoneNumber] }

    override func take(_ details: [String: Any]) {
        rating = details["rating"] as? String
        phoneNumber = details["phoneNumber"] as? String
    }
}
