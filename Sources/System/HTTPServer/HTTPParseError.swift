/// Why a request is not well formed; the connection is closed after the answer.
package struct HTTPParseError: Error, Sendable, Hashable {
    /// The rule that was broken.
    package enum Reason: String, Sendable, CaseIterable {
        case bareLineFeed, bareCarriageReturn, emptyLines
        case requestLine, method, target, version, versionUnsupported
        case fieldName, fieldValue, foldedField, missingHost, repeatedHost, hostMismatch
        case contentLength, repeatedContentLength, lengthAndChunked
        case codingUnsupported, codingRepeated, codingInHTTP10, expectation
        case chunkSize, chunkExtension, chunkEnd, trailer
        case targetTooLong, headersTooLarge, tooManyFields, bodyTooLarge, chunkOverheadTooLarge
    }

    package let reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    /// The status to answer with.
    package var status: Int {
        switch reason {
        case .versionUnsupported: 505
        case .codingUnsupported: 501
        case .expectation: 417
        case .targetTooLong: 414
        case .headersTooLarge, .tooManyFields: 431
        case .bodyTooLarge: 413
        case .bareLineFeed, .bareCarriageReturn, .emptyLines, .requestLine, .method, .target,
            .version, .fieldName, .fieldValue, .foldedField, .missingHost, .repeatedHost,
            .hostMismatch, .contentLength, .repeatedContentLength, .lengthAndChunked,
            .codingRepeated, .codingInHTTP10, .chunkSize, .chunkExtension, .chunkEnd, .trailer,
            .chunkOverheadTooLarge:
            400
        }
    }
}
