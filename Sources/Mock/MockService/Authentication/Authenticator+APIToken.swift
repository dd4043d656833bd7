import HTTPServer

extension Authenticator {
    /// An API token and what it is good for.
    package struct APIToken: Sendable, Hashable {
        /// nil: every container and environment; the service has no such tokens.
        package var place: ContainerPlace?
        /// Whose pages may use it; nil: everybody's. Programs, which are no pages, may always.
        package var origins: [AllowedOrigin]?
        /// Where the sign-in page may send the browser, and does to the first unless the app names
        /// another; empty: it posts a message.
        package var callbacks: [SignInCallback] = []

        package init(
            place: ContainerPlace? = nil, origins: [AllowedOrigin]? = nil,
            callbacks: [SignInCallback] = []
        ) {
            self.place = place
            self.origins = origins
            self.callbacks = callbacks
        }

        /// Origins, and callbacks, of one token.
        package static let listMax = 100

        /// Whether pages of an origin may use it; nil: pages that have none.
        func admits(_ origin: WebOrigin?) -> Bool {
            guard let origins else { return true }
            return origin.map { page in origins.contains { $0.includes(page) } } ?? false
        }

        /// Whether the sender of a request may use it. A page that has its browser send one
        /// without an `Origin`, as for an image, is known by the site that the browser names.
        func admits(_ request: HTTPRequest) -> Bool {
            guard origins != nil else { return true }
            if let origin = request["origin"] { return admits(WebOrigin(origin)) }
            guard request.isOfOtherOrigin else { return true }
            return admits(request["referer"].flatMap { WebOrigin(ofAddress: $0) })
        }
    }
}
