package import CloudModel

/// What a fault does to a request it fires on.
package enum FaultAction: Sendable, Hashable {
    /// The whole request fails and nothing is carried out.
    case error(CloudError.Code, retryAfterSeconds: Double?, reason: String?)
    /// Items fail. Those that the request names are not carried out; in an atomic batch their
    /// siblings fail with them, and nothing of their zone is stored. Of other requests the items
    /// of the answer become error items.
    case itemError(CloudError.Code, FaultItems, retryAfterSeconds: Double?)
    /// Items of the answer are missing; what they tell of was carried out.
    case dropItems(FaultItems)
    /// Items of the answer come twice.
    case repeatItems(FaultItems)
    /// The answer is held back. Several add up.
    case delay(milliseconds: Int)
    /// The connection is closed and nothing is carried out.
    case cutBeforeCommit
    /// The request is carried out, then the connection is closed without an answer.
    case cutAfterCommit
    /// A list still names zones that were deleted since the fault was set.
    case staleZoneList
    /// A page without items, with more to come.
    case emptyPage
    /// A page comes with the token of the request, and so once more, with more to come.
    case repeatPage
    /// After a zone was deleted another device creates it again, with this many records.
    case recreateZone(records: Int)
    /// `THROTTLED` when requests come faster than this, with the time to wait.
    case throttle(perSecond: Double, burst: Int)

    /// Whether no other such action may fire on the same request.
    package var isEnding: Bool {
        if case .delay = self { false } else { true }
    }

    /// The operations this action has a meaning for.
    package var operations: [String] {
        switch self {
        case .error, .delay, .cutBeforeCommit, .cutAfterCommit, .throttle: FaultOperation.paths
        case .itemError(_, let items, _), .dropItems(let items), .repeatItems(let items):
            items.operations
        case .staleZoneList: FaultOperation.paths { $0.reply == .zonePage }
        case .emptyPage, .repeatPage:
            FaultOperation.paths { [.zonePage, .zoneChanges, .recordPage].contains($0.reply) }
        case .recreateZone: FaultOperation.paths { $0.isModifying && $0.reply == .zones }
        }
    }

    /// The name of the action in the JSON form.
    package var kind: String {
        switch self {
        case .error: "error"
        case .itemError: "itemError"
        case .dropItems: "dropItems"
        case .repeatItems: "repeatItems"
        case .delay: "delay"
        case .cutBeforeCommit: "cutBeforeCommit"
        case .cutAfterCommit: "cutAfterCommit"
        case .staleZoneList: "staleZoneList"
        case .emptyPage: "emptyPage"
        case .repeatPage: "repeatPage"
        case .recreateZone: "recreateZone"
        case .throttle: "throttle"
        }
    }
}
