internal import AsyncOperations
public import Foundation

/// What a person is doing in the app, so that it can be found, suggested and continued later.
///
/// ``becomeCurrent()`` is the call that donates: it stores a copy of the activity in the app's
/// donation store and makes it the app's one current activity. Refusals, which Apple's interface
/// has no way to report, go to ``DonationDiagnostics``.
///
/// Unchecked: all that can change is in `state`, behind its lock.
/// - SeeAlso: <https://developer.apple.com/documentation/foundation/nsuseractivity>
open class NSUserActivity: NSObject, @unchecked Sendable {
    /// What kind of activity it is, in reverse-DNS form by convention.
    public let activityType: String
    /// What the store tells this object from others by.
    let number = CurrentActivities.shared.nextNumber()
    private let state = Locked(ActivityState())

    /// A new activity of a type that the app declares in `NSUserActivityTypes`.
    public init(activityType: String) {
        self.activityType = activityType
        super.init()
    }

    /// A new activity of the first type that the app declares.
    ///
    /// Without a manifest the type is empty, and the activity can never be stored.
    @available(*, deprecated, message: "Use init(activityType:) and name the type")
    public convenience override init() {
        self.init(activityType: UserActivityTypes.first ?? "")
    }

    deinit {
        let state = state.withLock { $0 }
        UserActivityDonor.forget(state, number: number, type: activityType)
    }

    // MARK: Content

    /// What the activity is called, for people.
    open var title: String? {
        get { read(\.title) }
        set { change { $0.title = newValue } }
    }

    /// What the app needs to restore it.
    ///
    /// Keys and values are `NSArray`, `NSData`, `NSDate`, `NSDictionary`, `NSNull`, `NSNumber`,
    /// `NSSet`, `NSString`, `NSURL` and `NSUUID`, or Swift's types for them. Anything else is found
    /// in ``becomeCurrent()``, which then stores nothing at all.
    open var userInfo: [AnyHashable: Any]? {
        get { read(\.userInfo)?.entries }
        set {
            let copy = newValue.map { ActivityState.UserInfo($0) }
            change { $0.userInfo = copy }
        }
    }

    /// Adds entries to ``userInfo``; on the same key the new value wins.
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        let copy = ActivityState.UserInfo(otherDictionary)
        change { state in
            var entries = state.userInfo?.entries ?? [:]
            entries.merge(copy.entries) { $1 }
            state.userInfo = ActivityState.UserInfo(entries)
        }
    }

    /// The keys of ``userInfo`` that are worth storing; nil means all of them.
    ///
    /// They are also what decides whether two activities are the same for suggestions.
    open var requiredUserInfoKeys: Set<String>? {
        get { read(\.requiredUserInfoKeys) }
        set { change { $0.requiredUserInfoKeys = newValue } }
    }

    /// A web page with the same content, as the app wrote it.
    ///
    /// - Precondition: The scheme is `http` or `https`. Apple raises an exception where this stops
    ///   the program; ``setWebpageURL(_:)`` throws instead.
    open var webpageURL: URL? {
        get { read(\.webpageURL) }
        set {
            precondition(
                newValue.map(UserActivityError.isWebAddress) ?? true,
                "webpageURL takes only http and https")
            change { $0.webpageURL = newValue }
        }
    }

    /// Sets ``webpageURL``, for addresses that come from elsewhere.
    ///
    /// Not in Apple's interface.
    /// - Throws: ``UserActivityError`` with code `unsupportedScheme`; the former address stays.
    open func setWebpageURL(_ url: URL?) throws {
        if let url, !UserActivityError.isWebAddress(url) {
            throw UserActivityError(.unsupportedScheme, activityType: activityType)
        }
        webpageURL = url
    }

    /// The page whose link led to ``webpageURL``.
    open var referrerURL: URL? {
        get { read(\.referrerURL) }
        set { change { $0.referrerURL = newValue } }
    }

    /// When the activity stops to be found, suggested and handed over; nil leaves it to the store.
    open var expirationDate: Date? {
        get { read(\.expirationDate) }
        set { change { $0.expirationDate = newValue } }
    }

    /// Words a search finds it by, besides the title.
    open var keywords: Set<String> {
        get { read(\.keywords) }
        set { change { $0.keywords = newValue } }
    }

    /// Which content it shows, for choosing among an app's scenes. Setting it asks for no save.
    open var targetContentIdentifier: String? {
        get { read(\.targetContentIdentifier) }
        set { change { $0.targetContentIdentifier = newValue } }
    }

    /// The string to delete it by; an empty one counts as none.
    open var persistentIdentifier: NSUserActivityPersistentIdentifier? {
        get { read(\.persistentIdentifier) }
        set { change { $0.persistentIdentifier = newValue } }
    }

    // MARK: What it may be used for

    /// Whether another device may continue it; true from the start.
    open var isEligibleForHandoff: Bool {
        get { read(\.isEligibleForHandoff) }
        set { change { $0.isEligibleForHandoff = newValue } }
    }

    /// Whether searches on this device find it.
    open var isEligibleForSearch: Bool {
        get { read(\.isEligibleForSearch) }
        set { change { $0.isEligibleForSearch = newValue } }
    }

    /// Whether its address or required keys may be published. Nothing here ever uploads them;
    /// receipts say that a removed activity had been marked so.
    open var isEligibleForPublicIndexing: Bool {
        get { read(\.isEligibleForPublicIndexing) }
        set { change { $0.isEligibleForPublicIndexing = newValue } }
    }

    /// Whether it may be suggested.
    open var isEligibleForPrediction: Bool {
        get { read(\.isEligibleForPrediction) }
        set { change { $0.isEligibleForPrediction = newValue } }
    }

    // MARK: Saving and continuing

    /// Whether the delegate has newer state; it is asked for it before the activity leaves.
    open var needsSave: Bool {
        get { read(\.needsSave) }
        set { change { $0.needsSave = newValue } }
    }

    /// Whether the continuing side may ask for a pair of streams.
    open var supportsContinuationStreams: Bool {
        get { read(\.supportsContinuationStreams) }
        set { change { $0.supportsContinuationStreams = newValue } }
    }

    /// Who is told of saves and continuations; not kept alive.
    open weak var delegate: (any NSUserActivityDelegate)? {
        get { read(\.delegate).object }
        set {
            let reference = ActivityState.WeakDelegate(object: newValue)
            change { $0.delegate = reference }
        }
    }

    /// An identifier that a media app and its catalogue share.
    open var externalMediaContentIdentifier: String? {
        get { read(\.externalMediaContentIdentifier) }
        set { change { $0.externalMediaContentIdentifier = newValue } }
    }

    /// Whether the activity came from a ClassKit link; always false, there is no ClassKit here.
    open var isClassKitDeepLink: Bool { false }

    /// The path of a ClassKit context; always nil, there is no ClassKit here.
    open var contextIdentifierPath: [String]? { nil }

    // MARK: Life cycle

    /// Makes it the app's one current activity and donates it.
    ///
    /// The store takes a copy, after what was asked of it earlier in this process. Called again on
    /// the current activity it stores a further donation only if the activity changed, or if what
    /// was stored of it is gone. After ``invalidate()`` it does nothing.
    open func becomeCurrent() {
        UserActivityDonor.becomeCurrent(self)
    }

    /// Stops to advertise it; what is stored stays, and it may become current again.
    open func resignCurrent() {
        UserActivityDonor.receive(.resignCurrent, by: self)
    }

    /// Ends it for good; what is stored stays.
    open func invalidate() {
        UserActivityDonor.receive(.invalidate, by: self)
    }

    // MARK: Inside the package

    /// Asks the delegate for the newest state, if it has any: once for each time ``needsSave`` was
    /// set, however many ask at the same time.
    ///
    /// - Returns: Whether it was asked.
    @discardableResult package func saveIfNeeded() -> Bool {
        let holders: [ActivityState.Holder]? = change { state in
            guard state.needsSave else { return nil }
            state.needsSave = false
            if !state.holders.isEmpty { state.userInfo = nil }
            return state.holders
        }
        guard let holders else { return false }
        for holder in holders { holder.responder?.updateUserActivityState(self) }
        delegate?.userActivityWillSave(self)
        return true
    }

    /// Looks at the state.
    func read<Value: Sendable>(_ body: (ActivityState) -> Value) -> Value {
        state.withLock { body($0) }
    }

    /// Changes the state.
    func change<Value: Sendable>(_ body: (inout ActivityState) -> Value) -> Value {
        state.withLock { body(&$0) }
    }

    // MARK: Deleting

    /// Deletes the saved activities with these persistent identifiers, wherever they are stored,
    /// with their donations. Identifiers that match nothing are no error.
    ///
    /// When the handler runs, the deletion is durable, or its failure is in the store's log.
    open class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier],
        completionHandler handler: @escaping @Sendable () -> Void
    ) {
        UserActivityDonor.delete(persistentIdentifiers, completion: handler)
    }

    /// The same, waiting.
    open class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier]
    ) async {
        await withCheckedContinuation { continuation in
            deleteSavedUserActivities(withPersistentIdentifiers: persistentIdentifiers) {
                continuation.resume()
            }
        }
    }

    /// Deletes all saved activities of the app, with or without a persistent identifier.
    ///
    /// When the handler runs, the deletion is durable, or its failure is in the store's log.
    open class func deleteAllSavedUserActivities(
        completionHandler handler: @escaping @Sendable () -> Void
    ) {
        UserActivityDonor.delete(nil, completion: handler)
    }

    /// The same, waiting.
    open class func deleteAllSavedUserActivities() async {
        await withCheckedContinuation { continuation in
            deleteAllSavedUserActivities { continuation.resume() }
        }
    }
}
