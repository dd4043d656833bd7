import HTTPServer

extension MockApplication {
    /// Describes this world under the address that its assets are given out at, which is the one
    /// that the request came to.
    func describe(at baseURL: String) -> RequestOutcome {
        let document = OpenAPIDocument.bytes(servedAt: baseURL)
        return .respond(HTTPResponse(json: document), after: .zero)
    }
}
