internal import UserActivity

/// Joins the two halves of a continuation, which may come in either order: what the delegate
/// decided, and the objects it wants to show the activity.
@MainActor final class Restoration {
    /// Has an object show an activity.
    typealias Show = @MainActor (NSUserActivity) -> Void

    private let activity: NSUserActivity
    private var objects: [Show]?
    private var isContinued: Bool?
    private var isDone = false

    init(_ activity: NSUserActivity) { self.activity = activity }

    func give(_ objects: [Show]) {
        guard self.objects == nil else { return }
        self.objects = objects
        restore()
    }

    func decide(_ isContinued: Bool) {
        self.isContinued = isContinued
        restore()
    }

    private func restore() {
        guard isContinued == true, let objects, !isDone else { return }
        isDone = true
        for show in objects { show(activity) }
    }
}
