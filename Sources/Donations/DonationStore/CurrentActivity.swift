import Basics
import Donations

/// The activity that a process shows as its current one.
struct CurrentActivity {
    let object: UInt64
    let activity: Donation
    /// The key of what was stored of it; nil when nothing was.
    let savedKey: String?

    /// Whether an activity says the same; when it was done does not count.
    func isSame(as other: Donation) -> Bool {
        func timeless(_ activity: Donation) -> Donation {
            var activity = activity
            activity.begin = Timestamp(milliseconds: 0)
            activity.end = activity.begin
            activity.donatedAt = activity.begin
            return activity
        }
        return timeless(activity) == timeless(other)
    }
}
