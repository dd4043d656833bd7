internal import AsyncOperations
internal import Foundation

/// Lets an app on one device continue what is current in its maker's app on another.
///
/// What passes between the two sides is bytes, so they may be in one process or in two. A failure
/// is an error of `NSCocoaErrorDomain`: 4608 when the activity is gone or garbled, 4609 when the
/// link is cut, 4610 when the origin's app took too long, 4611 when `userInfo` is too large for
/// either side.
public final class HandoffLink: Sendable {
    private let destination: HandoffPeer
    private let transport: any HandoffTransport
    private let elapsed: @Sendable () -> Duration
    private let timeout: Duration
    private let events = Locked<[HandoffEvent]>([])

    /// A link between two apps in this process.
    ///
    /// - Parameters:
    ///   - timeout: How long the origin's app may take to answer.
    ///   - clock: What measures it.
    public convenience init(
        from origin: HandoffOrigin, to destination: HandoffPeer,
        timeout: Duration = .seconds(10), clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.init(
            over: DirectHandoff(to: origin), to: destination, timeout: timeout, clock: clock)
    }

    /// A link to the ``HandoffServer`` of an app in another process.
    ///
    /// - Parameters:
    ///   - socketPath: Where the server answers; nobody need be there yet.
    ///   - timeout: How long the origin's app may take to answer.
    public convenience init(
        socketPath: String, to destination: HandoffPeer, timeout: Duration = .seconds(10)
    ) {
        self.init(
            over: SocketHandoff(socketPath: socketPath, timeout: timeout), to: destination,
            timeout: timeout)
    }

    /// A link over another way for the bytes.
    package init(
        over transport: any HandoffTransport, to destination: HandoffPeer,
        timeout: Duration = .seconds(10), clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.destination = destination
        self.timeout = timeout
        self.transport = transport
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// What happened on the destination's side, oldest first; the last thousand steps.
    public var transcript: [HandoffEvent] { events.withLock { $0 } }

    /// Cuts the link; what is asked of it later fails with 4609.
    public func disconnect() { transport.close() }

    /// The type of the activity that the destination's app can continue; nil when there is none,
    /// or none for this app.
    ///
    /// - Throws: An error of `NSCocoaErrorDomain`, 4608 to 4610.
    public func offeredActivityType() async throws -> String? {
        do throws(CocoaError) {
            return try await offer()
        } catch {
            note(.failed(code: error.code.rawValue))
            throw error
        }
    }

    /// Brings the activity over, in the state it has when it is asked for.
    ///
    /// - Returns: A new activity for the destination's app to continue.
    /// - Throws: An error of `NSCocoaErrorDomain`, 4608 to 4611.
    public func receive() async throws -> NSUserActivity {
        do throws(CocoaError) {
            guard let type = try await offer() else { throw CocoaError(.userActivityHandoffFailed) }
            note(.requested(activityType: type))
            return try await transfer(type)
        } catch {
            note(.failed(code: error.code.rawValue))
            throw error
        }
    }

    private func offer() async throws(CocoaError) -> String? {
        guard case .offer(let type, let team) = try await ask(.offer) else { return nil }
        // A browser's page may come from any app.
        guard type == NSUserActivityTypeBrowsingWeb || team == destination.teamIdentifier else {
            note(.refusedTeam)
            return nil
        }
        guard destination.store.configuration.activityTypes?.contains(type) ?? true else {
            note(.refusedType(activityType: type))
            return nil
        }
        return type
    }

    private func transfer(_ type: String) async throws(CocoaError) -> NSUserActivity {
        let team = destination.teamIdentifier
        let reply = try await ask(.content(activityType: type, team: team))
        guard case .content(let handle, let bytes) = reply, let content = HandoffContent(bytes),
            content.activityType == type
        else { throw CocoaError(.userActivityHandoffFailed) }
        guard content.userInfoSize <= destination.store.configuration.handoffBytesMax else {
            throw CocoaError(.userActivityHandoffUserInfoTooLarge)
        }
        note(.received(bytes: bytes.count))
        _ = try await ask(.continued(handle: handle))
        return content.activity(streams: StreamSource(transport: transport, handle: handle))
    }

    private func ask(_ request: HandoffRequest) async throws(CocoaError) -> HandoffReply {
        let begin = elapsed()
        let bytes = try await transport.send(request.bytes)
        guard elapsed() - begin <= timeout else {
            throw CocoaError(.userActivityRemoteApplicationTimedOut)
        }
        switch HandoffReply(bytes) {
        case .failure(let code):
            let isKnown = (NSUserActivityErrorMinimum...NSUserActivityErrorMaximum).contains(code)
            throw CocoaError(
                isKnown ? CocoaError.Code(rawValue: code) : .userActivityHandoffFailed)
        case nil: throw CocoaError(.userActivityHandoffFailed)
        case let reply?: return reply
        }
    }

    private func note(_ event: HandoffEvent) {
        events.withLock { events in
            events.append(event)
            if events.count > HandoffOrigin.eventsMax { events.removeFirst() }
        }
    }

    /// Where a delivered activity gets its streams: from the one it came from.
    private struct StreamSource: ContinuationStreamSource {
        let transport: any HandoffTransport
        let handle: Int64

        func connect() throws -> ContinuationStreams {
            try transport.openStreams(HandoffRequest.streams(handle: handle).bytes)
        }
    }
}
