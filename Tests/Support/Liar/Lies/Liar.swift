import AsyncOperations

/// Answers requests as the honest service does, but for the lies it was told to tell.
package final class Liar: Sendable {
    private let lies: [Lie]
    private let connectionLie: ConnectionLie?
    private let certificates: Certificates
    private let population: Population
    /// One for each lie.
    private let memories: [Locked<[String: Value]>]
    private let state = Locked(State())
    /// Requests are answered one after another, so that what a lie did is done for all later ones.
    private let turn = Locked(())

    private struct State {
        var isArmed = false
        var stage = Stage.look
        /// Requests so far, by lie and subject; and those since the stage began.
        var counts: [String: Int] = [:]
        var countsInStage: [String: Int] = [:]
        /// Lies that made a difference to what was said or done.
        var told: Set<Int> = []
        var requests = 0
        var connections = 0
        var connectionsInStage = 0
        var hasGreetedFalsely = false
    }

    package init(
        _ lies: [Lie], _ connectionLie: ConnectionLie? = nil, about population: Population,
        _ certificates: Certificates
    ) {
        self.lies = lies
        self.connectionLie = connectionLie
        self.certificates = certificates
        self.population = population
        memories = lies.map { _ in Locked([:]) }
    }

    /// Begins to lie; until then everything is honest.
    package func arm() { state.withLock { $0.isArmed = true } }

    /// Says where the run stands now.
    package func begin(_ stage: Stage) {
        state.withLock { state in
            guard state.stage != stage else { return }
            state.stage = stage
            state.countsInStage = [:]
            state.connectionsInStage = 0
        }
    }

    /// Whether every lie was told at least once.
    package var hasLied: Bool {
        state.withLock {
            $0.told.count == lies.count && ($0.hasGreetedFalsely || connectionLie == nil)
        }
    }
    /// How many requests came.
    package var requests: Int { state.withLock { $0.requests } }

    /// How a new connection is met.
    package func greet() -> LiarServer.Greeting {
        state.withLock { state in
            state.connections += 1
            state.connectionsInStage += 1
            guard let lie = connectionLie, state.isArmed,
                lie.moment.includes(state.connections, state.connectionsInStage, state.stage)
            else { return .tls(certificates.honest) }
            state.hasGreetedFalsely = true
            return lie.greeting(certificates)
        }
    }

    /// What is said about a request.
    package func say(_ request: Request) -> Saying {
        turn.withLock { _ in
            state.withLock { $0.requests += 1 }
            let isAbout =
                request.container == Population.first || request.operation == .download
            let active = isAbout ? activeLies(request) : []
            var saying: @Sendable () -> Saying = { [population] in
                population.upstream.answer(request).map(Saying.answer) ?? .close
            }
            for index in active {
                let truth = saying
                saying = { [self] in tell(index, about: request, truth) }
            }
            return ending(saying())
        }
    }

    /// Tells one lie, and notes whether it was one.
    private func tell(
        _ index: Int, about request: Request, _ truth: @escaping @Sendable () -> Saying
    ) -> Saying {
        let heard = Locked<Saying?>(nil)
        let meddling = Locked(false)
        let told = lies[index].kind.tell(
            Exchange(
                request: request, spot: lies[index].spot, population: population,
                memory: memories[index], meddling: meddling,
                truth: {
                    let saying = truth()
                    heard.withLock { $0 = saying }
                    return saying
                }))
        let isTrue = heard.withLock { $0.map { told.isTheSame(as: $0) } ?? false }
        if !isTrue || meddling.withLock({ $0 }) {
            state.withLock { _ = $0.told.insert(index) }
        }
        return told
    }

    /// Where connections are lied about, each serves one request, so that there are some.
    private func ending(_ saying: Saying) -> Saying {
        guard connectionLie != nil, var answer = saying.answer else { return saying }
        answer.headers.append(.init(name: "Connection", value: "close"))
        return .answer(answer)
    }

    private func activeLies(_ request: Request) -> [Int] {
        state.withLock { state in
            lies.indices.filter { index in
                let lie = lies[index]
                guard state.isArmed, lie.spot.matches(request) else { return false }
                let key = "\(index) \(request.operation?.rawValue ?? "") \(request.subject)"
                state.counts[key, default: 0] += 1
                state.countsInStage[key, default: 0] += 1
                return lie.moment.includes(
                    state.counts[key] ?? 0, state.countsInStage[key] ?? 0, state.stage)
            }
        }
    }
}
