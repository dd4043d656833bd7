/// Which donations of actions are meant.
public struct IntentDonationMatchingPredicate: Hashable, Sendable {
    enum Rule: Hashable, Sendable {
        case donation(String)
        case entity(EntityIdentifier)
        case intent(String, EntityIdentifier?)
    }

    let rule: Rule

    /// One donation.
    public static func donationIdentifier(_ identifier: IntentDonationIdentifier) -> Self {
        Self(rule: .donation(identifier.rawValue))
    }

    /// Those about an entity, as any of their parameters.
    public static func entityIdentifier(_ identifier: EntityIdentifier) -> Self {
        Self(rule: .entity(identifier))
    }

    /// Those of an action, all or those about an entity.
    public static func intentType<Intent: AppIntent>(
        _ type: Intent.Type, entityIdentifier: EntityIdentifier? = nil
    ) -> Self {
        Self(rule: .intent(String(describing: type), entityIdentifier))
    }
}
