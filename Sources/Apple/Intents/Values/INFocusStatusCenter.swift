internal import AsyncOperations
internal import Dispatch
public import Foundation

/// Whether the person is focused; nil: not known, or the app may not know.
public final class INFocusStatus: INValueObject {
    /// Whether the person is focused.
    public convenience init(isFocused: Bool? = nil) { self.init(["isFocused": isFocused]) }

    /// Whether the person is focused; nil: not known, or the app may not know.
    public var isFocused: Bool? { value("isFocused") }
}

/// Tells apps whether the person is focused, if the person lets them know.
///
/// Nothing here can notice it: a program that plays the person says so with
/// ``decide(_:isFocused:)``.
public final class INFocusStatusCenter: NSObject, Sendable {
    /// The one center.
    public static let `default` = INFocusStatusCenter()

    private struct State {
        var status = INFocusStatusAuthorizationStatus.notDetermined
        var isFocused: Bool?
    }

    private let state = Locked(State())
    private let callbacks = DispatchQueue(label: "Intents.focus")

    private override init() { super.init() }

    /// Whether the person is focused; not known unless the app may know it.
    public var focusStatus: INFocusStatus {
        INFocusStatus(
            isFocused: state.withLock { $0.status == .authorized ? $0.isFocused : nil })
    }

    /// Whether the app may know it.
    public var authorizationStatus: INFocusStatusAuthorizationStatus {
        state.withLock { $0.status }
    }

    /// Asks the person; nobody is there, so the answer is what was decided before.
    public func requestAuthorization(
        completionHandler: (@Sendable (INFocusStatusAuthorizationStatus) -> Void)? = nil
    ) {
        guard let completionHandler else { return }
        callbacks.async { completionHandler(self.authorizationStatus) }
    }

    /// Asks the person, and waits for the answer.
    public func requestAuthorization() async -> INFocusStatusAuthorizationStatus {
        await withCheckedContinuation { continuation in
            requestAuthorization { continuation.resume(returning: $0) }
        }
    }

    /// The person decides, or is focused or no longer. Not in Apple's interface.
    public func decide(_ status: INFocusStatusAuthorizationStatus, isFocused: Bool?) {
        state.withLock { $0 = State(status: status, isFocused: isFocused) }
    }
}
