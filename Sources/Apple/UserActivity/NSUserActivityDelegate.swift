internal import Foundation

/// What an activity tells the one who made it. Every method may be left out.
///
/// The calls come on whatever thread the activity is handed over on.
public protocol NSUserActivityDelegate: AnyObject {
    /// Asks for the newest state, once for each time ``NSUserActivity/needsSave`` was set.
    func userActivityWillSave(_ userActivity: NSUserActivity)
    /// Tells that the activity is being continued elsewhere.
    func userActivityWasContinued(_ userActivity: NSUserActivity)
    /// Hands over the streams that the continuing side asked for; they are not open yet.
    func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream,
        outputStream: OutputStream)
}

extension NSUserActivityDelegate {
    /// Does nothing.
    public func userActivityWillSave(_ userActivity: NSUserActivity) {}
    /// Does nothing.
    public func userActivityWasContinued(_ userActivity: NSUserActivity) {}
    /// Does nothing.
    public func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream,
        outputStream: OutputStream
    ) {}
}
