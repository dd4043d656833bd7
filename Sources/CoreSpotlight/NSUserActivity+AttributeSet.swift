internal import Donations

/// What ``UserActivity/NSUserActivity/contentAttributeSet`` keeps on an activity.
struct ActivityAttributes: ActivityAttachment {
    let values: [String: PayloadValue]

    func contribute(to donation: inout Donation) {
        let summary = ItemAttributes(values)
        donation.relatedIdentifier = summary.related
        donation.weakRelatedIdentifier = summary.weakRelated
        donation.domain = summary.domain
        donation.title = donation.title ?? summary.title
        donation.displayName = summary.displayName
        donation.keywords += summary.keywords.filter { !donation.keywords.contains($0) }
        donation.description = summary.description
        donation.mentions += summary.mentions
    }
}

extension NSUserActivity {
    /// What searches show of the activity, and which item it is related to. Copied when set and
    /// when read: changes to the set count only after it is set again.
    ///
    /// An activity whose `relatedUniqueIdentifier` names an item that is not indexed is not
    /// stored at all; the refusal is in the store's outcomes.
    public var contentAttributeSet: CSSearchableItemAttributeSet? {
        get {
            attachment(ActivityAttributes.self).map { CSSearchableItemAttributeSet($0.values) }
        }
        set {
            attach(
                newValue.map { ActivityAttributes(values: $0.snapshot) },
                as: ActivityAttributes.self)
        }
    }
}
