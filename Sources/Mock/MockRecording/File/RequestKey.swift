private import CloudWire
private import JSON
private import OpenSSL

/// What two requests have in common that are answered alike, apart from who asks: method, path, the
/// parameters that matter, and the body however it is spelled.
package struct RequestKey: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64

    package init(_ request: RecordedRequest) {
        var text = "\(request.method) \(request.path)\n".utf8.map { $0 }
        for item in Self.parameters(of: request) { text += Array("\(item)\n".utf8) }
        text += Array("\(request.range ?? "")\n".utf8)
        text += Self.body(of: request)
        let digest = SHA256.hash(text)
        (high, low) = (Self.number(digest[0..<8]), Self.number(digest[8..<16]))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What clients say of themselves, which may be new each time.
    private static let ignored: Set = [
        "ckjsBuildVersion", "ckjsVersion", "clientBuildNumber", "clientMasteringNumber",
    ]

    /// Parameters without credentials and without what the client says of itself, sorted.
    static func parameters(of request: RecordedRequest) -> [String] {
        WireQuery(request.query).items
            .filter { !SecretRules.isSecret(parameter: $0.name) && !ignored.contains($0.name) }
            .map { "\(WireQuery.encoded($0.name))=\(WireQuery.encoded($0.value))" }
            .sorted()
    }

    /// The body in the spelling that all equal ones have.
    private static func body(of request: RecordedRequest) -> [UInt8] {
        // Asked for under an address of its own, in parts that a client divides by a new line each time.
        if AddressBook.isUpload(request.path) { return [] }
        let limits = JSONLimits(depthMax: RecordingLimits.depthMax)
        guard let document = try? JSONDocument.parse(request.body, limits: limits) else {
            return request.body
        }
        var writer = JSONWriter()
        CanonicalJSON.write(document.root, to: &writer)
        return writer.bytes
    }
}
