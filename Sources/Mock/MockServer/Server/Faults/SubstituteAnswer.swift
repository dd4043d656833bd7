import Basics

/// What goes out instead of an answer of the service.
package struct SubstituteAnswer: Sendable, Hashable {
    /// 200 to 599.
    package let status: Int
    /// A media type.
    package let contentType: String
    package let body: [UInt8]
    /// Whether it comes from something between client and service, which has never seen the request.
    package let isFromOutside: Bool

    /// - Returns: nil where the rule's action leaves the answer to the service.
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

    /// How long garbage is.
    static let garbageBytes = 512
    /// As networks of hotels and trains answer whatever was asked for.
    private static let page = """
        <!DOCTYPE html>
        <html><head><title>Welcome to our network</title></head>
        <body><h1>Please sign in</h1><p>To use the internet, accept our terms.</p></body></html>

        """
}

/// What an answer that is not the service's holds.
enum WrongContent: String, CaseIterable {
    /// A web page; the request is not carried out.
    case page
    /// Random bytes; the request is carried out.
    case garbage
}
