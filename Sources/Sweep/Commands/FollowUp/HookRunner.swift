import AsyncOperations
import Basics
import CloudClient
import CloudCourier
import CloudModel
import CommandLine
import Evidence
import FileSystem
import HTTPClient
import Host

/// Tells hooks how a run ended, one after the other. Whatever comes of it is a value.
struct HookRunner: Sendable {
    /// How long a program may run, and a server may take for one answer.
    static let commandTime: Duration = .seconds(60)
    static let answerTime: Duration = .seconds(30)
    static let attemptsMax = 5
    /// The longest wait that a server can ask for.
    static let waitMax: Duration = .seconds(120)
    static let outputBytesMax = 4096
    /// All that a program sees of our environment: no secret is among it.
    static let variables: Set<String> = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"]

    let console: Console
    let stop: StopSignal

    /// How one try ended.
    private struct Outcome {
        var failure: HookFacts.Failure?
        var status: Int?
        var attempts = 1
    }

    func run(_ hook: ReadyHook, _ payload: HookPayload) async -> HookFacts {
        let id = payload.id(of: hook.position)
        let body = payload.body(for: hook.position)
        let outcome: Outcome
        if stop.reason != nil {
            outcome = Outcome(failure: .stopped, attempts: 0)
        } else {
            switch hook.action {
            case .command(let words): outcome = await run(words, body)
            case .webhook(let url, let trust, let signature):
                outcome = await post(body, id, to: url, trust, signature)
            }
        }
        return HookFacts(
            position: hook.position, kind: hook.kind, id: id,
            endedAt: console.environment.wallClock.now, attempts: outcome.attempts,
            failure: outcome.failure, status: outcome.status)
    }

    // MARK: Programs

    private func run(_ words: [String], _ body: [UInt8]) async -> Outcome {
        let environment = console.environment
        let running = Task { () async -> Result<ProgramEnd, FileError> in
            do throws(FileError) {
                return .success(
                    try await environment.processes.run(
                        words,
                        variables: environment.variables.filter {
                            Self.variables.contains($0.key)
                        }, input: body, outputBytesMax: Self.outputBytesMax,
                        within: Self.commandTime, on: environment.clock))
            } catch {
                return .failure(error)
            }
        }
        let listener = stop.onStop { running.cancel() }
        defer { stop.forget(listener) }
        switch await running.value {
        case .failure(let error):
            console.note("\(error)")
            return Outcome(failure: .notStarted)
        case .success(let end):
            let said = String(decoding: end.output, as: UTF8.self)
            if !said.isEmpty { console.detail(said) }
            let failure: HookFacts.Failure? =
                if stop.reason != nil {
                    .stopped
                } else if end.isOutOfTime {
                    .outOfTime
                } else {
                    end.status == 0 ? nil : .exitStatus
                }
            return Outcome(failure: failure, status: Int(end.status))
        }
    }

    // MARK: Webhooks

    private func post(
        _ body: [UInt8], _ id: String, to url: String, _ trust: HTTPClientConfiguration.Trust,
        _ signature: WebhookSignature
    ) async -> Outcome {
        var configuration = HTTPClientConfiguration(trust: trust, requestsInFlight: 1)
        configuration.requestTimeout = Self.answerTime
        configuration.responseBytesMax = 1 << 20
        let client = HTTPClient(configuration: configuration)
        defer { client.shutdown() }
        var budget = RetryBudget(attempts: Self.attemptsMax)
        var jitter = SeededGenerator(seed: console.environment.freshSeed())
        var outcome = Outcome(attempts: 0)
        while true {
            outcome.attempts += 1
            let headers = signature.headers(
                id: id, at: console.environment.wallClock.now, body: body)
            let error: CloudError
            do throws(HTTPClientError) {
                let answer = try await client.send(
                    HTTPClientRequest(.post, url, headers: headers, body: body))
                outcome.status = answer.status
                guard let refusal = Self.refusal(answer, &outcome) else { return outcome }
                error = refusal
            } catch let problem {
                outcome.status = nil
                error = CloudError(problem)
                outcome.failure =
                    error.code == .certificateUntrusted ? .untrusted : .unreachable
            }
            guard case .waitAndRepeat = ErrorPolicy.decision(for: error.code),
                let wait = budget.wait(after: error, countsAsAttempt: true, jitter: &jitter),
                wait <= Self.waitMax
            else { return outcome }
            guard await pause(wait) else {
                outcome.failure = .stopped
                return outcome
            }
        }
    }

    /// What an answer means by the one retry rule; nil: nothing more is to be done.
    private static func refusal(
        _ answer: HTTPClientResponse, _ outcome: inout Outcome
    ) -> CloudError? {
        switch answer.status {
        case 200..<300:
            outcome.failure = nil
            return nil
        case 300..<400:
            outcome.failure = .redirected
            return nil
        case 408, 425, 429, 500, 502, 503, 504:
            outcome.failure = .refused
            let wait = answer[header: "retry-after"].flatMap { Int64($0) }
            return CloudError(
                .internalError, reason: "HTTP \(answer.status)",
                retryAfter: wait.map { .seconds(max(0, $0)) })
        default:
            outcome.failure = .refused
            return nil
        }
    }

    /// Waits; false when somebody asks to stop.
    private func pause(_ wait: Duration) async -> Bool {
        let watch = Stopwatch(console.environment.clock)
        return await stop.unlessAsked { () async -> Bool? in
            do {
                try await watch.sleep(for: wait)
                return true
            } catch {
                return nil
            }
        } ?? false
    }
}
