public import Donations
internal import Foundation

/// What cksweep adds to an activity's donation, beside Apple's own properties.
private struct DonationDetails: ActivityAttachment {
    var link: ContentLink?
    var actionIdentifier: String?

    func contribute(to donation: inout Donation) {
        donation.link = link
        donation.actionID = actionIdentifier
    }
}

extension NSUserActivity {
    /// The content in a cloud container that the activity is about; its donations go when that
    /// content does. Not in Apple's interface.
    public var contentLink: ContentLink? {
        get { attachment(DonationDetails.self)?.link }
        set {
            var details = attachment(DonationDetails.self) ?? DonationDetails()
            details.link = newValue
            attach(details, as: DonationDetails.self)
        }
    }

    /// What the app calls the act that the donation tells of, so that an audit can find two
    /// donations of one act. Not in Apple's interface.
    public var donationActionIdentifier: String? {
        get { attachment(DonationDetails.self)?.actionIdentifier }
        set {
            var details = attachment(DonationDetails.self) ?? DonationDetails()
            details.actionIdentifier = newValue
            attach(details, as: DonationDetails.self)
        }
    }

    /// What public indexing would publish: the address, and the entries of the required keys.
    ///
    /// Empty unless the activity is eligible and has one of them. Nothing here is ever uploaded.
    /// Not in Apple's interface.
    public var publiclyIndexedContent: [AnyHashable: Any] {
        let state = read { $0 }
        guard state.isEligibleForPublicIndexing else { return [:] }
        var content: [AnyHashable: Any] = [:]
        for key in state.requiredUserInfoKeys ?? [] {
            content[key] = state.userInfo?.entries[key]
        }
        content["webpageURL"] = state.webpageURL
        return content
    }
}
