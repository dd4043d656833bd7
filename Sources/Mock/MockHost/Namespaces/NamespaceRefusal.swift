import HTTPServer
import JSON
import MockService
import MockStore

/// Answers a request that leads to no namespace, in the words of both the service and the administration.
final class NamespaceRefusal: HTTPApplication {
    private let error: MockError

    init(_ error: MockError) { self.error = error }

    func use(
        ofBodyOf head: HTTPRequest, length: Int?, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPBodyUse { .refuse(Self.response(error)) }

    func handle(
        _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPAnswer { .respond(Self.response(error)) }

    static func response(_ error: MockError) -> HTTPResponse {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("serverErrorCode", error.status == 404 ? "NOT_FOUND" : "BAD_REQUEST")
            writer.member("reason", error.reason)
            writer.member("error", error.reason)
        }
        var response = HTTPResponse(
            status: error.status,
            headers: [
                "content-type": "application/json; charset=UTF-8", "cache-control": "no-store",
                "access-control-allow-origin": "*",
            ], body: writer.bytes)
        response.survivesRollback = true
        return response
    }
}
