public import Foundation

/// Who comes to the restaurant.
public final class INRestaurantGuest: INPerson {
    /// Where to call the guest.
    public var phoneNumber: String?
    /// Where to write to the guest.
    public var emailAddress: String?

    /// A guest.
    public convenience init(
        nameComponents: PersonNameComponents?, phoneNumber: String?, emailAddress: String?
    ) {
        let handle =
            phoneNumber.map { INPersonHandle(value: $0, type: .phoneNumber) }
            ?? INPersonHandle(value: emailAddress, type: .emailAddress)
        self.init(
            personHandle: handle, nameComponents: nameComponents, displayName: nil, image: nil,
            contactIdentifier: nil, customIdentifier: nil)
        self.phoneNumber = phoneNumber
        self.emailAddress = emailAddress
    }

    override var details: [String: Any?] {
        ["phoneNumber": phoneNumber, "emailAddress": emailAddress]
    }

    override func take(_ details: [String: Any]) {
        phoneNumber = details["phoneNumber"] as? String
        emailAddress = details["emailAddress"] as? String
    }
}
