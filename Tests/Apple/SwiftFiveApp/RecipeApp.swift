import ContinuationHost
import Foundation
import UserActivity

/// An app in the style of Apple's articles: it shows recipes, donates that it does, and forgets
/// what its user deletes. Compiled in both language modes.
@MainActor public final class RecipeApp: NSObject, UIApplicationDelegate {
    public let window = RecipeController()
    public private(set) var calls: [String] = []
    public var isBusy = false

    public func application(
        _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        calls.append("will continue \(userActivityType)")
        return true
    }

    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        calls.append("continue \(userActivity.activityType)")
        guard !isBusy else { return false }
        restorationHandler([window])
        return true
    }

    public func application(
        _ application: UIApplication,
        didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        switch error {
        case CocoaError.userActivityHandoffFailed: calls.append("failed")
        case CocoaError.userActivityConnectionUnavailable: calls.append("not connected")
        case CocoaError.userActivityRemoteApplicationTimedOut: calls.append("too slow")
        case CocoaError.userActivityHandoffUserInfoTooLarge: calls.append("too large")
        default: calls.append("\((error as NSError).code)")
        }
    }
}

/// A screen with one recipe.
public final class RecipeController: UIViewController {
    public static let activityType = "com.example.soup.view-recipe"
    public private(set) var restored: [String] = []
    public var scrollPosition = 0

    public func show(_ recipe: String) {
        let activity = NSUserActivity(activityType: Self.activityType)
        activity.title = "Recipe of \(recipe)"
        activity.userInfo = ["recipe": recipe, "scroll": scrollPosition]
        activity.requiredUserInfoKeys = ["recipe"]
        activity.isEligibleForSearch = true
        activity.isEligibleForPrediction = true
        activity.keywords = [recipe, "soup"]
        activity.persistentIdentifier = NSUserActivityPersistentIdentifier("recipe-\(recipe)")
        activity.webpageURL = URL(string: "https://example.com/recipes/\(recipe)")
        userActivity = activity
    }

    public override func updateUserActivityState(_ activity: NSUserActivity) {
        activity.addUserInfoEntries(from: ["recipe": title ?? "", "scroll": scrollPosition])
    }

    public override func restoreUserActivityState(_ activity: NSUserActivity) {
        restored.append(activity.userInfo?["recipe"] as? String ?? "nothing")
    }
}

/// What the app forgets, with and without waiting.
public enum RecipeEraser {
    public static func erase(_ recipes: [String]) async {
        await NSUserActivity.deleteSavedUserActivities(
            withPersistentIdentifiers: recipes.map { "recipe-\($0)" })
    }

    public static func erase(_ recipes: [String], then done: @escaping @Sendable () -> Void) {
        NSUserActivity.deleteSavedUserActivities(
            withPersistentIdentifiers: recipes.map { "recipe-\($0)" }, completionHandler: done)
    }

    public static func signOut() async {
        await NSUserActivity.deleteAllSavedUserActivities()
    }

    public static func signOut(then done: @escaping @Sendable () -> Void) {
        NSUserActivity.deleteAllSavedUserActivities { done() }
    }
}

/// Everything else that an app can spell, so that it is compiled.
public func spellings(_ activity: NSUserActivity) async throws -> [Any?] {
    struct Payload: Codable {
        var name: String
    }
    activity.referrerURL = nil
    activity.expirationDate = Date.distantFuture
    activity.targetContentIdentifier = "recipe"
    activity.isEligibleForHandoff = false
    activity.isEligibleForPublicIndexing = false
    activity.needsSave = true
    activity.supportsContinuationStreams = true
    activity.delegate = nil
    activity.externalMediaContentIdentifier = nil
    activity.mapItem = MKMapItem()
    try activity.setTypedPayload(Payload(name: "leek"))
    activity.getContinuationStreams { input, output, error in
        _ = (input, output, error)
    }
    activity.resignCurrent()
    activity.invalidate()
    return [
        activity.ndefMessagePayload, activity.detectedBarcodeDescriptor,
        activity.contextIdentifierPath, activity.isClassKitDeepLink,
        activity.appClipActivationPayload, try activity.typedPayload(Payload.self),
        NSUserActivityTypeBrowsingWeb, TVUserActivityTypeBrowsingChannelGuide,
        NSUserActivityErrorMinimum, NSUserActivityErrorMaximum, NSUserActivityHandoffFailedError,
        NSUserActivityConnectionUnavailableError, NSUserActivityRemoteApplicationTimedOutError,
        NSUserActivityHandoffUserInfoTooLargeError,
    ]
}
