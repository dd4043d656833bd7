internal import Donations
internal import Foundation

/// What an activity takes along to another device, with canonical bytes of its own.
struct HandoffContent: Hashable, Sendable {
    let activityType: String
    private(set) var title: String?
    /// The whole `userInfo`: required keys are about storing, not about Handoff.
    private(set) var userInfo: PayloadValue
    private(set) var requiredUserInfoKeys: Set<String>?
    private(set) var webpageURL: String?
    private(set) var referrerURL: String?
    private(set) var expirationDate: Date?
    private(set) var keywords: Set<String> = []
    private(set) var targetContentIdentifier: String?
    private(set) var persistentIdentifier: String?
    private(set) var supportsContinuationStreams = false

    /// What `activity` holds now.
    ///
    /// - Throws: `UserActivityError` when its `userInfo` cannot leave it.
    init(of activity: NSUserActivity) throws(UserActivityError) {
        let state = activity.read { $0 }
        activityType = activity.activityType
        title = state.title
        userInfo = try ActivityCapture.payload(
            of: state.userInfo?.entries ?? [:], type: activityType)
        requiredUserInfoKeys = state.requiredUserInfoKeys
        webpageURL = state.webpageURL?.absoluteString
        referrerURL = state.referrerURL?.absoluteString
        expirationDate = state.expirationDate
        keywords = state.keywords
        targetContentIdentifier = state.targetContentIdentifier
        persistentIdentifier = state.persistentIdentifier
        supportsContinuationStreams = state.supportsContinuationStreams
    }

    /// The content in canonical bytes; nil when they are none.
    init?(_ bytes: [UInt8]) {
        guard let value = try? PayloadValue(decoding: bytes),
            let type = value["activityType"]?.text,
            let userInfo = value["userInfo"], case .dictionary = userInfo
        else { return nil }
        activityType = type
        self.userInfo = userInfo
        title = value["title"]?.text
        requiredUserInfoKeys = value["requiredUserInfoKeys"]?.texts
        webpageURL = value["webpageURL"]?.text
        referrerURL = value["referrerURL"]?.text
        if case .date(let seconds)? = value["expirationDate"] {
            expirationDate = Date(timeIntervalSinceReferenceDate: seconds)
        }
        keywords = value["keywords"]?.texts ?? []
        targetContentIdentifier = value["targetContentIdentifier"]?.text
        persistentIdentifier = value["persistentIdentifier"]?.text
        if case .bool(true)? = value["supportsContinuationStreams"] {
            supportsContinuationStreams = true
        }
    }

    /// Canonical bytes: equal contents have equal ones.
    var bytes: [UInt8] {
        var entries: [String: PayloadValue] = [
            "activityType": .string(activityType), "userInfo": userInfo,
        ]
        entries["title"] = title.map { .string($0) }
        entries["requiredUserInfoKeys"] = requiredUserInfoKeys.map(Self.set)
        entries["webpageURL"] = webpageURL.map { .string($0) }
        entries["referrerURL"] = referrerURL.map { .string($0) }
        entries["expirationDate"] = expirationDate.map {
            .date($0.timeIntervalSinceReferenceDate)
        }
        if !keywords.isEmpty { entries["keywords"] = Self.set(keywords) }
        entries["targetContentIdentifier"] = targetContentIdentifier.map { .string($0) }
        entries["persistentIdentifier"] = persistentIdentifier.map { .string($0) }
        if supportsContinuationStreams { entries["supportsContinuationStreams"] = .bool(true) }
        return PayloadValue.dictionary(entries).encoded
    }

    /// How large the `userInfo` is, as the limit of Handoff counts.
    var userInfoSize: Int { userInfo.encodedSize }

    /// The activity that the other device gets.
    func activity(streams: any ContinuationStreamSource) -> NSUserActivity {
        let activity = NSUserActivity(activityType: activityType)
        activity.title = title
        activity.userInfo = userInfo.dictionaryObject
        activity.requiredUserInfoKeys = requiredUserInfoKeys
        // What another device sends may be anything; the property itself takes web pages only.
        try? activity.setWebpageURL(webpageURL.flatMap { URL(string: $0) })
        activity.referrerURL = referrerURL.flatMap { URL(string: $0) }
        activity.expirationDate = expirationDate
        activity.keywords = keywords
        activity.targetContentIdentifier = targetContentIdentifier
        activity.persistentIdentifier = persistentIdentifier
        activity.supportsContinuationStreams = supportsContinuationStreams
        activity.change { $0.streams = streams }
        return activity
    }

    private static func set(_ strings: Set<String>) -> PayloadValue {
        .set(strings.map { .string($0) })
    }
}

extension PayloadValue {
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    var bytes: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }
    var texts: Set<String>? {
        guard case .set(let values) = self else { return nil }
        return Set(values.compactMap(\.text))
    }
}
