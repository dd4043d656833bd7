import CommandLine
import Evidence
import FileSystem
import HTTPClient
import OpenSSL

/// Has somebody else say when a statement was there.
struct EvidenceStampCommand: Command {
    private static let authority = Option(
        "tsa", value: .text("URL"), isNeeded: true, "the time stamping authority (RFC 3161)")

    static let verb = Verb(
        "evidence stamp", "add a time stamp from an authority to a statement",
        discussion: [
            "The time in a statement is the operator's claim. This asks an authority (RFC 3161) "
                + "for a time stamp, checks it, and stores it next to the statement: RUN.tsr next "
                + "to RUN.json. Only the SHA-256 of the statement leaves the machine.",
            "It is not part of a run, so an authority that is down changes no outcome: nothing "
                + "is written then, and the exit code is 1. Repeat it before the authority's "
                + "certificate expires. \"attest --tsa-ca\" checks the token offline.",
        ],
        positionals: [AttestReading.positional],
        options: [authority, AttestReading.neededAuthorities] + CommonOptions.output,
        examples: [
            .init(
                "cksweep evidence stamp RUN.json --tsa https://tsa.example.org --tsa-ca tsa.pem",
                "prove when it existed")
        ])
    private let arguments: Arguments
    private let url: String

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        url = arguments.text(Self.authority) ?? ""
        if let problem = HTTPClientRequest.problem(inURL: url) {
            throw UsageError("the address of --tsa \(problem)")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let files = environment.files
        let path = arguments.positionals.first ?? ""
        let envelope: [UInt8]
        let authorities: [UInt8]
        do throws(FileError) {
            envelope = try files.read(path, bytesMax: Attestation.envelopeBytesMax)
            authorities = try files.read(
                arguments.text(AttestReading.authorities) ?? "",
                bytesMax: AttestReading.smallBytesMax)
        } catch {
            throw CommandFailure(error)
        }
        let nonce = SecureRandom.bytes(TimeStamp.nonceByteCount)
        let token: [UInt8]
        let stamp: TimeStamp
        do throws(EvidenceError) {
            // What is stamped must be something that can be attested.
            _ = try Envelope(envelope)
            token = try await ask(TimeStamp.query(about: envelope, nonce: nonce))
            let now = environment.wallClock.now
            stamp = try TimeStamp(
                TimeStamp.Given(token: token, authorities: authorities, now: now),
                over: envelope, nonce: nonce)
        } catch {
            guard error.code != .unreadable else {
                throw CommandFailure(.internalError, error.reason, remedy: "nothing was written")
            }
            throw CommandFailure(error, about: path)
        }
        let place = AttestReading.stem(path) + ".tsr"
        do throws(FileError) {
            try files.write(token, to: place, mode: 0o600, replacing: true)
        } catch {
            throw CommandFailure(error)
        }
        console.event(
            Event(
                "stamped",
                [
                    .init("statement", path), .init("token", place),
                    .init("at", stamp.moment.iso8601),
                ]))
        console.result([
            "STAMPED: \(path) existed at \(stamp.moment.iso8601), according to \(url)."
        ])
        return .done
    }

    /// - Throws: `unreadable` when the authority does not answer.
    private func ask(_ query: [UInt8]) async throws(EvidenceError) -> [UInt8] {
        var configuration = HTTPClientConfiguration(requestsInFlight: 1)
        configuration.responseBytesMax = TimeStampQuery.replyBytesMax
        let client = HTTPClient(configuration: configuration)
        defer { client.shutdown() }
        let request = HTTPClientRequest(
            .post, url, headers: [("Content-Type", "application/timestamp-query")], body: query)
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await client.send(request)
        } catch {
            throw EvidenceError(.unreadable, "the authority \(url) did not reply: \(error)")
        }
        guard response.status == 200 else {
            throw EvidenceError(
                .unreadable,
                "the authority \(url) replied \(response.status), without a time stamp")
        }
        return response.body
    }
}
