import HTTPServer

extension MockApplication {
    /// Describes this world under the address that its assets are given out at, which is the one
    /// that the request came to.
    func describe() -> Outcome {
        let document = OpenAPIDocument.bytes(servedAt: store.assets.addresses.base)
        return .respond(adminResponse(document), after: .zero)
    }
}
