import AsyncOperations
import CloudModel
package import FileSystem
package import HTTPClient
private import HTTPServer
private import OpenSSL

/// Stands before a service, hands requests on, and keeps what is asked and answered in a file.
package final class RecordingProxy: Sendable {
    /// What it is to do.
    package struct Configuration: Sendable {
        /// The service, without a slash at the end.
        package var upstream: String
        /// Who vouches for it.
        package var trust: HTTPClientConfiguration.Trust
        /// Where the recording is to stand.
        package var file: String
        /// Containers that may be written to.
        package var writes = WritePolicy(writable: [])
        package var replacesRecordNames = false
        /// The program's credentials, by the variables that it finds them in.
        package var credentials: [String: String] = [:]
        /// Told what whoever records should know, in a sentence.
        package var warn: @Sendable (String) -> Void = { _ in }

        package init(upstream: String, trust: HTTPClientConfiguration.Trust, file: String) {
            self.upstream = upstream
            self.trust = trust
            self.file = file
        }
    }

    /// What has come of it.
    package struct Summary: Sendable, Hashable {
        package let exchanges: Int
        /// Requests that were not let through.
        package let refusals: Int
        /// Requests that the service did not answer, which are not in the recording.
        package let lost: Int
    }

    /// What the program finds its tokens in: stand-ins.
    package let variables: [String: String]
    private let server: RecordingServer
    private let recorder: Recorder
    private let client: HTTPClient
    private let warn: @Sendable (String) -> Void
    private let toldOfRefusal = Locked(false)

    /// Begins the file.
    package init(
        _ configuration: Configuration, on server: RecordingServer, _ files: Files
    ) throws(RecordingError) {
        var translator = Translator(
            key: SecureRandom.bytes(32), upstream: configuration.upstream, own: server.url,
            policy: configuration.writes,
            rules: SecretRules(replacesRecordNames: configuration.replacesRecordNames))
        var variables: [String: String] = [:]
        for (name, text) in configuration.credentials {
            variables[name] = try translator.standIn(forCredential: text)
        }
        self.variables = variables
        self.server = server
        recorder = Recorder(
            translator,
            try RecordingWriter(configuration.file, RecordingHead(variables: variables), files))
        var client = HTTPClientConfiguration(
            trust: configuration.trust, requestsInFlight: RecordingLimits.inFlightMax)
        client.responseBytesMax = RecordingLimits.answerBytesMax
        self.client = HTTPClient(configuration: client)
        warn = configuration.warn
    }

    /// Serves until the server is stopped, and gives the file its name.
    ///
    /// - Throws: What kept exchanges from being recorded; the draft stays.
    package func run() async throws(RecordingError) -> Summary {
        let (jobs, feed) = AsyncStream.makeStream(of: ProxyApplication.Job.self)
        let inFlight = ProxyApplication.InFlight()
        await withDiscardingTaskGroup { group in
            group.addTask { [server] in
                await server.serve { ProxyApplication(feed, inFlight) }
                feed.finish()
            }
            for await job in jobs {
                group.addTask { await self.carryOut(job, inFlight) }
            }
            // Nobody is left to answer.
            group.cancelAll()
        }
        client.shutdown()
        try await recorder.finish()
        return Summary(
            exchanges: await recorder.exchanges, refusals: await recorder.refusals,
            lost: await recorder.lost)
    }

    private func carryOut(_ job: ProxyApplication.Job, _ inFlight: ProxyApplication.InFlight) async
    {
        let answer = await answer(job)
        server.post { loop in
            inFlight.count -= 1
            loop.respond(to: job.exchange, HTTPResponse(answer))
        }
    }

    private func answer(_ job: ProxyApplication.Job) async -> RecordedAnswer {
        switch await recorder.begin(job.request) {
        case .forward(let forwarded):
            do throws(HTTPClientError) {
                let response = try await client.send(forwarded.request)
                return await recorder.end(job.number, forwarded, response)
                    ?? failed(job, "the recording has failed")
            } catch {
                await recorder.lose()
                warn("request \(job.number) got no response from the service: \(error.message)")
                return failed(job, "the service behind the proxy does not reply")
            }
        case .refuse(let error, let request):
            if error.code == .accessDenied { tellOfRefusal(error) }
            let answer = ErrorAnswer.make(error, number: job.number)
            return await recorder.refuse(job.number, request, answer)
                ?? failed(job, "the recording has failed")
        case .redirect(let url):
            return RecordedAnswer(status: 302, headers: [.init("location", url)])
        case nil: return failed(job, "the recording has failed")
        }
    }

    private func failed(_ job: ProxyApplication.Job, _ reason: String) -> RecordedAnswer {
        var answer = ErrorAnswer.make(
            CloudError(.internalError, reason: reason), number: job.number)
        answer.status = 502
        return answer
    }

    private func tellOfRefusal(_ error: CloudError) {
        let isFirst = toldOfRefusal.withLock { told in
            defer { told = true }
            return !told
        }
        if isFirst { warn("a write was refused: \(error.reason)") }
    }
}
