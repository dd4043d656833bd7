public import Foundation

/// What started an App Clip. None is ever made here.
public final class APActivationPayload: NSObject, Sendable {
    /// The address that was opened.
    public let url: URL?

    override init() {
        url = nil
        super.init()
    }
}
