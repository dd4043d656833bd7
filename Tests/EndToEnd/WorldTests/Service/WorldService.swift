import AsyncOperations
import Basics
import Foundation
import HTTPServer
import InProcessMock
import JSON
import MockHost
import MockStore

/// The mock server of one world but its sockets, with a lock around it: what our client asks is
/// written down, and things happen before the requests that were chosen for them.
final class WorldService: Sendable {
    /// Where the world begins, in milliseconds since 1970.
    static let start: Int64 = 1_800_000_000_000
    /// The device that our client signs in on. Faults are for it alone.
    static let desk = "desk"
    /// Somebody's other device.
    static let phone = "phone"

    struct Setup: Sendable {
        var seed: UInt64
        var options = MockOptions()
        var singleUseTokens = false
        /// nil: in memory, and then it cannot be started again.
        var folder: String?
        /// Databases where the service deletes along references by and by, and how many
        /// references there are: `CONTAINER/development/SCOPE`.
        var cascades: [String: Int] = [:]
    }

    let setup: Setup
    let state: Locked<State>
    let time: Locked<Int64>
    /// What our client waits by: its pauses are time that passes for the service as well.
    let pauses: ManualClock

    /// Used under the lock only.
    struct State: @unchecked Sendable {
        var application: NamespaceHost
        var ledger = Ledger()
        var log: [Exchange] = []
        var problems: [String] = []
        /// Requests of our client since the command began.
        var count = 0
        var moments: [Moment] = []
        var onStop: (@Sendable (Stop) -> Void)?
        /// Whether answers bring another person's token.
        var isSwapped = false
        /// Those tokens.
        var othersTokens: Set<String> = []
    }

    init(_ setup: Setup) throws {
        let (time, pauses) = (Locked(Self.start), ManualClock(movesByItself: true))
        self.setup = setup
        self.time = time
        self.pauses = pauses
        state = Locked(State(application: try Self.application(setup, Self.clock(time, pauses))))
    }

    static func application(
        _ setup: Setup, _ clock: WallClock
    ) throws -> NamespaceHost {
        var configuration = MockServerConfiguration(stateFolder: "/nonexistent")
        configuration.users = ["ada", "ben"]
        configuration.options = setup.options
        configuration.seed = setup.seed
        configuration.singleUseTokens = setup.singleUseTokens
        if let folder = setup.folder { configuration.storage = .directory(folder) }
        return try NamespaceHost(configuration, clock: clock)
    }

    private static func clock(_ time: Locked<Int64>, _ pauses: ManualClock) -> WallClock {
        WallClock {
            Timestamp(milliseconds: time.withLock { $0 }).advanced(by: pauses.now.sinceStart)
        }
    }

    /// Goes on by a second with each request of our client, and by its pauses.
    var clock: WallClock { Self.clock(time, pauses) }
    var now: Int64 { clock.now.milliseconds }
    var apiToken: String { state.withLock { $0.application.apiToken } }

    // MARK: - Our client

    /// The answer to one request, or nil when the connection was cut.
    func answer(_ request: HTTPRequest) -> HTTPResponse? {
        state.withLock { state in
            time.withLock { $0 += 1000 }
            state.count += 1
            let due = state.moments.filter { $0.request == state.count }.map(\.event)
            do {
                for event in due where event != .restart(afterwards: true) {
                    try happen(event, &state)
                }
                if due.contains(.restart(afterwards: false)) { return nil }
                if due.contains(.restart(afterwards: true)) {
                    // Carried out, and lost with the process before it is on disk.
                    _ = state.application.respond(request)
                    try restart(&state)
                    return nil
                }
                let response = try carryOut(request, &state)
                let isOther = Self.token(of: request).map(state.othersTokens.contains) ?? false
                if let exchange = try Exchange(now, request, response, isOther: isOther) {
                    state.log.append(exchange)
                }
                return response
            } catch {
                state.problems.append("\(error)")
                return nil
            }
        }
    }

    private func carryOut(_ request: HTTPRequest, _ state: inout State) throws -> HTTPResponse? {
        guard var response = try state.application.answer(request) else { return nil }
        if state.isSwapped {
            let token = state.application.issueWebToken(user: "ben", device: Self.desk)
            state.othersTokens.insert(token)
            let name = "x-apple-cloudkit-web-auth-token"
            var headers = HTTPHeaders()
            for field in response.headers.pairs where field.name != name {
                headers.append(field.name, field.value)
            }
            headers.append(name, token)
            response.headers = headers
        }
        return response
    }

    private static func token(of request: HTTPRequest) -> String? {
        let name = "ckWebAuthToken="
        return request.query?.split(separator: "&").first { $0.hasPrefix(name) }
            .flatMap { String($0.dropFirst(name.count)).removingPercentEncoding }
    }

    // MARK: - Commands

    /// A command of our client begins, during which these things happen.
    func begin(
        _ moments: [Moment], faults: [String], onStop: @escaping @Sendable (Stop) -> Void
    ) throws {
        try setFaults(faults)
        time.withLock { $0 += 1000 }
        state.withLock { state in
            (state.count, state.moments, state.onStop) = (0, moments, onStop)
            state.log = []
            state.ledger.happened = []
            state.othersTokens = []
        }
    }

    /// It has ended: what was asked, and what others did. All is as before for the next.
    func end() throws -> (log: [Exchange], ledger: Ledger) {
        try setFaults([])
        try admin("POST", "simulate", #"{"event":"sign-in","user":"ada"}"#)
        return try state.withLock { state in
            (state.moments, state.onStop, state.isSwapped) = ([], nil, false)
            if let problem = state.problems.first { throw WorldError(problem) }
            return (state.log, state.ledger)
        }
    }

    private func setFaults(_ rules: [String]) throws {
        let list = rules.map { "\"\($0)\"" }.joined(separator: ",")
        try admin("PUT", "faults", "{\"rules\":[\(list)]}")
    }
}
