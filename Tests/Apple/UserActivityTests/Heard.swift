import AsyncOperations
import Foundation
import UserActivity

/// Notes what is told to it, in order.
final class Heard: NSObject, NSUserActivityDelegate, Sendable {
    private let state = Locked<(errors: [UserActivityError], calls: [String])>(([], []))
    private let streams = Locked<Streams?>(nil)
    private let onSave: @Sendable (NSUserActivity) -> Void

    /// Unchecked: handed from the side that made it to the one test that waits for it.
    struct Streams: @unchecked Sendable {
        let input: InputStream
        let output: OutputStream
    }

    init(onSave: @escaping @Sendable (NSUserActivity) -> Void = { _ in }) {
        self.onSave = onSave
    }

    var errors: [UserActivityError] { state.withLock { $0.errors } }
    var calls: [String] { state.withLock { $0.calls } }
    var receivedStreams: Streams? { streams.withLock { $0 } }

    func note(_ error: UserActivityError) { state.withLock { $0.errors.append(error) } }
    func note(_ call: String) { state.withLock { $0.calls.append(call) } }

    func userActivityWillSave(_ userActivity: NSUserActivity) {
        note("will save")
        onSave(userActivity)
    }

    func userActivityWasContinued(_ userActivity: NSUserActivity) { note("was continued") }

    func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream,
        outputStream: OutputStream
    ) {
        note("got streams")
        let pair = Streams(input: inputStream, output: outputStream)
        streams.withLock { $0 = pair }
    }
}
