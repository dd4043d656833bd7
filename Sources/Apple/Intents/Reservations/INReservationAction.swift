public import Foundation

/// Something the user can do about a reservation.
public final class INReservationAction: NSObject, NSCopying, NSSecureCoding {
    /// What it is.
    public let type: INReservationActionType
    /// When it can be done.
    public let validDuration: INDateComponentsRange
    /// The activity with which the app does it; not stored with a donation.
    public let userActivity: NSUserActivity

    /// Something the user can do.
    public init(
        type: INReservationActionType, validDuration: INDateComponentsRange,
        userActivity: NSUserActivity
    ) {
        self.type = type
        self.validDuration = validDuration
        self.userActivity = userActivity
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The value that an archive holds; nil when it cannot be read.
    public convenience init?(coder: NSCoder) { self.init(archivedIn: coder) }

    public func encode(with coder: NSCoder) { archive(in: coder) }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension INReservationAction: StorableValue {
    var storedParts: [String: Any?] {
        [
            "type": type.rawValue, "validDuration": validDuration,
            "activityType": userActivity.activityType,
        ]
    }

    static func restore(_ parts: [String: Any]) -> Self? {
        guard let duration = parts["validDuration"] as? INDateComponentsRange,
            let activityType = parts["activityType"] as? String
        else { return nil }
        return Self(
            type: (parts["type"] as? Int).flatMap { INReservationActionType(rawValue: $0) }
                ?? .unknown,
            validDuration: duration, userActivity: NSUserActivity(activityType: activityType))
    }
}
