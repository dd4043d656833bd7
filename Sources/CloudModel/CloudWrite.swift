/// A request that changes data, or access to it, as a value.
package enum CloudWrite: Sendable, Hashable {
    /// `zones/modify`
    case modifyZones([RecordZone.Operation])
    /// `records/modify`
    case modifyRecords(RecordModifyRequest)
    /// `subscriptions/modify`
    case modifySubscriptions([Subscription.Operation])
    /// `users/restrict`
    case restrict
    /// `users/unrestrict`
    case unrestrict

    /// The operation's path below the database, such as `zones/modify`.
    package var operationPath: String {
        switch self {
        case .modifyZones: "zones/modify"
        case .modifyRecords: "records/modify"
        case .modifySubscriptions: "subscriptions/modify"
        case .restrict: "users/restrict"
        case .unrestrict: "users/unrestrict"
        }
    }
}
