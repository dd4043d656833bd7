package import CloudModel
internal import JSON

extension ReplyReader {
    /// The asset that the answer to its bytes acknowledges, to be the value of a field.
    ///
    /// - Throws: `CloudError`, with the service's code, and `unexpectedResponse` for what the service
    ///   does not send. 429 and 503 without a code are `throttled` and `tryAgainLater`.
    package static func readUploaded(
        _ body: [UInt8], status: Int, retryAfterHeader: String? = nil
    ) throws(CloudError) -> Asset {
        let errors = ErrorReader(status: status, retryAfterHeader: retryAfterHeader)
        let root: JSONValue
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument.parse(body, limits: WireLimits.response)
            root = document.root
        } catch {
            throw errors.withoutCode("the response is not a JSON object")
        }
        guard root.kind == .object, document.repeatedKey == nil else {
            throw errors.withoutCode("the response is not a JSON object")
        }
        if let failure = errors.error(in: root) { throw failure }
        guard status == 200 else {
            throw errors.withoutCode("the response is neither a success nor an error")
        }
        do throws(ShapeError) {
            return try FieldReader().asset(try root.required("singleFile").object())
        } catch {
            throw errors.withoutCode(error.reason)
        }
    }
}
