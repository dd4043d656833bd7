internal import AsyncOperations
internal import Foundation

/// The device on which an activity is current: answers what others ask about it.
///
/// The activity's delegate is called as Apple's is: asked to save if it has newer state, told when
/// the activity goes on elsewhere, and given its ends of the streams.
public final class HandoffOrigin: Sendable {
    private struct State: Sendable {
        var events: [HandoffEvent] = []
        /// The activities that were handed over, the newest last.
        var handedOver: [NSUserActivity] = []
    }

    /// How many activities are remembered after they were handed over.
    static let handedOverMax = 16
    /// How many steps the transcript keeps.
    static let eventsMax = 1000

    private let peer: HandoffPeer
    private let state = Locked(State())

    /// The device of `peer`.
    public init(_ peer: HandoffPeer) { self.peer = peer }

    /// What happened on this side, oldest first; the last thousand steps.
    public var transcript: [HandoffEvent] { state.withLock { $0.events } }

    /// The answer to a request, both in canonical bytes.
    ///
    /// The delegate is called where the caller runs, so that a slow one keeps nobody else waiting.
    nonisolated(nonsending) func answer(_ request: [UInt8]) async -> [UInt8] {
        await reply(to: HandoffRequest(request)).bytes
    }

    nonisolated(nonsending)
        private func reply(to request: HandoffRequest?) async -> HandoffReply
    {
        switch request {
        case .offer:
            guard let activity = await offered() else { return .nothing }
            note(.offered(activityType: activity.activityType))
            return .offer(activityType: activity.activityType, team: peer.teamIdentifier)
        case .content(let type, let team): return await content(activityType: type, team: team)
        case .continued(let handle):
            guard let activity = handedOver(handle) else { return failure(.handoffFailed) }
            activity.delegate?.userActivityWasContinued(activity)
            note(.continued)
            return .done
        case .streams, nil: return failure(.handoffFailed)
        }
    }

    /// Whether there is an activity that streams are asked of, and someone to take them.
    func expectsStreams(for request: [UInt8]) -> Bool { receiver(of: request) != nil }

    /// Gives the far ends of streams to the delegate of the activity they were asked of.
    ///
    /// - Returns: Whether there is such an activity, and someone to take them.
    func accept(_ streams: ContinuationStreams, for request: [UInt8]) -> Bool {
        guard let (activity, delegate) = receiver(of: request) else { return false }
        note(.streamsOpened)
        delegate.userActivity(
            activity, didReceive: streams.input, outputStream: streams.output)
        return true
    }

    private func receiver(
        of request: [UInt8]
    ) -> (NSUserActivity, any NSUserActivityDelegate)? {
        guard case .streams(let handle) = HandoffRequest(request),
            let activity = handedOver(handle), activity.supportsContinuationStreams,
            let delegate = activity.delegate
        else { return nil }
        return (activity, delegate)
    }

    /// The newest state of the current activity.
    nonisolated(nonsending)
        private func content(activityType: String, team: String) async -> HandoffReply
    {
        guard let activity = await offered(), activity.activityType == activityType else {
            return failure(.handoffFailed)
        }
        guard mayGo(activityType, to: team) else {
            note(.refusedTeam)
            return failure(.handoffFailed)
        }
        if activity.saveIfNeeded() { note(.saved) }
        // The delegate may have ended the activity instead of bringing it up to date.
        guard activity.read(\.lifeCycle.phase) == .current,
            let content = try? HandoffContent(of: activity)
        else { return failure(.handoffFailed) }
        guard content.userInfoSize <= peer.store.configuration.handoffBytesMax else {
            return failure(.userInfoTooLarge)
        }
        let bytes = content.bytes
        note(.sent(bytes: bytes.count))
        state.withLock { state in
            state.handedOver.removeAll { $0 === activity }
            state.handedOver.append(activity)
            if state.handedOver.count > Self.handedOverMax { state.handedOver.removeFirst() }
        }
        return .content(handle: Int64(activity.number), bytes: bytes)
    }

    private func offered() async -> NSUserActivity? {
        guard let activity = await NSUserActivity.advertised(in: peer.store),
            activity.isEligibleForHandoff
        else { return nil }
        return activity
    }

    /// A browser's page may go to any app: the app says by the type that it takes pages.
    private func mayGo(_ activityType: String, to team: String) -> Bool {
        activityType == NSUserActivityTypeBrowsingWeb || team == peer.teamIdentifier
    }

    private func handedOver(_ handle: Int64) -> NSUserActivity? {
        state.withLock { $0.handedOver.first { Int64($0.number) == handle } }
    }

    private enum Failure {
        case handoffFailed, userInfoTooLarge
    }

    private func failure(_ failure: Failure) -> HandoffReply {
        let code: CocoaError.Code =
            switch failure {
            case .handoffFailed: .userActivityHandoffFailed
            case .userInfoTooLarge: .userActivityHandoffUserInfoTooLarge
            }
        note(.failed(code: code.rawValue))
        return .failure(code: code.rawValue)
    }

    private func note(_ event: HandoffEvent) {
        state.withLock { state in
            state.events.append(event)
            if state.events.count > Self.eventsMax { state.events.removeFirst() }
        }
    }
}
