import Basics

/// A response that replaces the service's.
package struct SubstituteAnswer: Sendable, Hashable {
    /// 200 to 599.
    package let status: Int
    /// A media type.
    package let contentType: String
    package let body: [UInt8]
    /// Whether it comes from a proxy between client and service, so that the request never arrived.
    package let isFromOutside: Bool

    /// - Returns: nil where the rule's action leaves the response to the service.
    init?(_ rule: FaultRule, _ generator: inout SeededGenerator) {
        switch rule.action {
        case .status:
            status = rule.whole(.status) ?? 502
            contentType = "text/plain; charset=UTF-8"
            body = Array((rule.text(.body) ?? "").utf8)
            isFromOutside = true
        case .wrongContent:
            status = 200
            switch rule.text(.content).flatMap({ WrongContent(rawValue: $0) }) ?? .page {
            case .page:
                contentType = "text/html; charset=UTF-8"
                body = Array(Self.page.utf8)
                isFromOutside = true
            case .garbage:
                contentType = "application/octet-stream"
                body = (0..<Self.garbageBytes).map { _ in
                    UInt8(truncatingIfNeeded: generator.next())
                }
                isFromOutside = false
            }
        default: return nil
        }
    }

    /// The length of garbage.
    static let garbageBytes = 512
    /// As captive portals of hotels and trains respond to every request.
    private static let page = """
        <!DOCTYPE html>
        <html><head><title>Welcome to our network</title></head>
        <body><h1>Please sign in</h1><p>To use the internet, accept our terms.</p></body></html>

        """
}

/// The content of a response that is not the service's.
enum WrongContent: String, CaseIterable {
    /// A web page; the request is not executed.
    case page
    /// Random bytes; the request is executed.
    case garbage
}
