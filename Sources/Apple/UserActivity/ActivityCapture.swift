import Basics
internal import CloudModel
internal import Donations
internal import Foundation

/// Turns an activity, as it is at this moment, into what the store keeps of it.
struct ActivityCapture {
    /// What is to be stored.
    private(set) var donation: Donation
    /// What the app should know although the activity is stored.
    private(set) var warnings: [UserActivityError] = []

    /// Whether the store keeps it: an activity that is for Handoff alone is only current.
    var isSaved: Bool {
        !donation.eligibility.isDisjoint(with: [.search, .prediction, .publicIndexing])
    }

    /// Looks at `state` once; later changes do not reach the donation.
    ///
    /// - Parameters:
    ///   - now: The store's time.
    /// - Throws: `UserActivityError` when a value may not be kept or the activity has expired.
    init(
        _ state: ActivityState, type: String, now: Date
    ) throws(UserActivityError) {
        let moment = Timestamp(milliseconds: Int64((now.timeIntervalSince1970 * 1000).rounded()))
        donation = Donation(.activity, type: type, at: moment)
        if let date = state.expirationDate, date <= now {
            throw UserActivityError(.expired, activityType: type)
        }
        let userInfo = try Self.payload(of: state.userInfo?.entries ?? [:], type: type)
        describe(state, type: type)
        setEligibility(state, type: type)
        setPayload(state, userInfo: userInfo)
    }

    /// The dictionary's value; whole or not at all.
    static func payload(
        of userInfo: [AnyHashable: Any], type: String
    ) throws(UserActivityError) -> PayloadValue {
        do {
            return try PayloadValue(object: userInfo)
        } catch {
            switch error {
            case .disallowedType(let name):
                throw UserActivityError(.disallowedValue, activityType: type, detail: name)
            case .tooDeep: throw UserActivityError(.tooDeep, activityType: type)
            }
        }
    }

    private mutating func describe(_ state: ActivityState, type: String) {
        donation.persistentIdentifier = state.persistentIdentifier?.orNil
        if state.persistentIdentifier == "" {
            warnings.append(UserActivityError(.emptyIdentifier, activityType: type))
        }
        donation.title = state.title
        donation.keywords = state.keywords.sorted()
        donation.expiration = state.expirationDate.map {
            Timestamp(milliseconds: Int64(($0.timeIntervalSince1970 * 1000).rounded()))
        }
        donation.webpageURL = state.webpageURL?.absoluteString
        donation.targetContentIdentifier = state.targetContentIdentifier
    }

    private mutating func setEligibility(_ state: ActivityState, type: String) {
        var eligibility: Donation.Eligibility = []
        if state.isEligibleForHandoff { eligibility.insert(.handoff) }
        if state.isEligibleForSearch { eligibility.insert(.search) }
        if state.isEligibleForPrediction { eligibility.insert(.prediction) }
        if state.isEligibleForPublicIndexing {
            if state.webpageURL != nil || state.requiredUserInfoKeys?.isEmpty == false {
                eligibility.insert(.publicIndexing)
            } else {
                warnings.append(UserActivityError(.nothingToPublish, activityType: type))
            }
        }
        donation.eligibility = eligibility
    }

    /// A6: without required keys all are kept, but none when a search leads to a web page.
    private mutating func setPayload(_ state: ActivityState, userInfo: PayloadValue) {
        let isWebResult =
            state.isEligibleForSearch && state.webpageURL != nil
            && state.requiredUserInfoKeys == nil
        let kept =
            isWebResult
            ? PayloadValue.dictionary([:]) : userInfo.pruned(to: state.requiredUserInfoKeys)
        donation.predictionKey = userInfo.equalityKey(requiredKeys: state.requiredUserInfoKeys)
        donation.mentions = kept.strings
        var entries: [String: PayloadValue] = ["userInfo": kept]
        if let keys = state.requiredUserInfoKeys {
            entries["requiredUserInfoKeys"] = .set(keys.map { .string($0) })
        }
        if let url = state.referrerURL { entries["referrerURL"] = .url(url.absoluteString) }
        // Always in the same order, so that an unchanged activity gives an equal donation.
        let attachments = state.attachments.values.sorted {
            String(reflecting: type(of: $0)) < String(reflecting: type(of: $1))
        }
        for attachment in attachments {
            attachment.contribute(to: &donation)
            entries.merge(attachment.payloadEntries) { $1 }
        }
        donation.payload = PayloadValue.dictionary(entries).encoded
    }
}
