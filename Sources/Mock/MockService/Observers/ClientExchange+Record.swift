import Basics
import ClientLinter
import CloudWire
import HTTPServer
import JSON
import OpenSSL

extension ClientExchange {
    /// What the checks of clients need of a request.
    ///
    /// - Parameters:
    ///   - number: Of its entry in the journal.
    ///   - operationsMax: How many operations a request may have.
    init(_ record: ExchangeRecord, number: Int, _ request: HTTPRequest, operationsMax: Int) {
        let outcome: Outcome =
            if record.isLost {
                .lost
            } else if let failure = record.failure {
                .failure(failure)
            } else {
                record.reply.map { .reply($0) } ?? .lost
            }
        let time = record.entry.time
        self.init(
            number: number, client: record.client, address: record.address,
            command: record.command, outcome: outcome, at: time)
        arrivedUptime = record.arrived
        answered = time.advanced(by: record.delay)
        answeredUptime = MonotonicTime.now() + Int64(record.delay / .nanoseconds(1))
        digest = Self.digest(of: request)
        remarks = Self.remarks(on: request, record, operationsMax)
    }

    /// Of all that a request contains, except the tokens in its query, which change.
    private static func digest(of request: HTTPRequest) -> UInt64 {
        SHA256.hash(Array("\(request.method) \(request.path)\n".utf8) + request.body)
            .prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func remarks(
        on request: HTTPRequest, _ record: ExchangeRecord, _ operationsMax: Int
    ) -> [RequestRemark] {
        if case .failure(let error)? = record.operation {
            // Every browser requests it by itself.
            guard request.path != "/favicon.ico" else { return [] }
            return [.unknownEndpoint(String(request.path.prefix(200)), nearest: error.nearest)]
        }
        guard case .success(let operation)? = record.operation, !request.body.isEmpty,
            let shape = operation.facts.request,
            let document = try? JSONDocument.parse(
                request.body, limits: JSONLimits(bytesMax: WireLimits.requestBytesMax))
        else { return [] }
        return RequestText(itemsMax: operationsMax).remarks(on: document.root, shape)
    }
}

extension WireRouteError {
    /// The operation that may have been meant.
    fileprivate var nearest: String? {
        guard case .unknownOperation(let name) = self else { return nil }
        return NearestName.closest(to: name, among: WireOperation.allCases.map(\.rawValue))
    }
}
