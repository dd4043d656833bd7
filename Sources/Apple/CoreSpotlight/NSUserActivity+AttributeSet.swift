internal import Donations

/// What ``UserActivity/NSUserActivity/contentAttributeSet`` keeps on an activity.
struct ActivityAttributes: ActivityAttachment {
    let set: CSSearchableItemAttributeSet

    func contribute(to donation: inout Donation) {
        let summary = ItemAttributes(set.snapshot)
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
    /// What searches show of the activity, and which item it is related to. Copied when set: what is changed
    /// in the original afterwards does not count, what is changed in the set read here does.
    ///
    /// An activity whose `relatedUniqueIdentifier` names an item that is not indexed is not
    /// stored at all; the refusal is in the store's outcomes.
    public var contentAttributeSet: CSSearchableItemAttributeSet? {
        get {
            attachment(ActivityAttributes.self)?.set
        }
        set {
            attach(
                newValue.map {
                    ActivityAttributes(set: CSSearchableItemAttributeSet($0.snapshot))
                },
                as: ActivityAttributes.self)
        }
    }
}
