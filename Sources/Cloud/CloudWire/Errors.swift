internal import CloudModel
internal import JSON

/// Reads errors in answers: of the whole request, and of one item.
struct ErrorReader {
    /// nil for an item's error.
    var status: Int?
    var retryAfterHeader: String?

    /// Ten years: more is as good as never, and stays far from overflow.
    private static let waitMax = 315_360_000.0

    /// The error that `object` is; nil when it is none.
    ///
    /// That something is not there is believed of a whole request only with a status that says
    /// so too: it would count as deleted.
    func error(in object: JSONValue) -> CloudError? {
        guard let code = object.optional("serverErrorCode") else { return nil }
        let name = code.string ?? ""
        let known = CloudError.Code(rawValue: name).flatMap { $0.isServiceCode ? $0 : nil }
        if let status, !(400..<500).contains(status), known == .notFound || known == .zoneNotFound {
            return withoutCode("the response has code \(name) with status \(status)")
        }
        let reason = Self.printable(object["reason"]?.string ?? "")
        return CloudError(
            known ?? .unknown,
            reason: known == nil ? "\(Self.printable(name)): \(reason)" : reason,
            retryAfter: wait(object.optional("retryAfter")),
            redirectURL: object["redirectURL"]?.string, httpStatus: status)
    }

    /// An answer that names no error of the service.
    func withoutCode(_ reason: String) -> CloudError {
        let code: CloudError.Code =
            switch status {
            case 429: .throttled
            case 503: .tryAgainLater
            default: .unexpectedResponse
            }
        return CloudError(
            code, reason: Self.printable(reason), retryAfter: wait(nil), httpStatus: status)
    }

    /// The error of a failed request that is spelled as its only item, as for the Kotlin client.
    func onlyItem(in root: JSONValue) -> CloudError? {
        guard let status, status >= 400 else { return nil }
        for key in ["records", "zones", "subscriptions", "users", "tokens", "assets"] {
            guard let items = root.optional(key), items.kind == .array, items.count == 1,
                let item = items.elements.first(where: { $0.kind == .object })
            else { continue }
            return error(in: item)
        }
        return nil
    }

    /// The longer of the body's wait and the header's, in seconds, whole or not, quoted or not.
    private func wait(_ value: JSONValue?) -> Duration? {
        let inBody = value?.double ?? value?.string.flatMap(Self.seconds)
        let inHeader = retryAfterHeader.flatMap(Self.seconds)
        guard let seconds = [inBody, inHeader].compactMap({ $0 }).max() else { return nil }
        guard seconds.isFinite else { return nil }
        return .milliseconds(Int64((min(max(seconds, 0), Self.waitMax) * 1000).rounded()))
    }

    private static func seconds(_ text: String) -> Double? {
        let digits = Array("0123456789.".utf8)
        let trimmed = text.utf8.drop { $0 == 0x20 }
        guard trimmed.count <= 20, trimmed.allSatisfy({ digits.contains($0) }) else { return nil }
        return Double(String(trimmed) ?? "")
    }

    /// `text` as it may be shown on a terminal: no control characters, and not endless.
    private static func printable(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(WireLimits.reasonMax).map { scalar in
            scalar.properties.generalCategory == .control ? " " : scalar
        }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars)
        return String(result)
    }
}

extension JSONWriter {
    /// The members that an item's error and a whole request's have in common.
    mutating func error(_ error: CloudError, _ form: ReplyForm) {
        member("uuid", form.nextUUID())
        member("serverErrorCode", error.wireCode.rawValue)
        member("reason", error.reason)
        if let wait = error.retryAfter {
            if let seconds = wait.wholeSeconds {
                member("retryAfter", seconds)
            } else {
                member("retryAfter", Double(wait / .milliseconds(1)) / 1000)
            }
        }
        member("redirectURL", error.redirectURL)
    }
}

extension CloudError {
    /// One of the fourteen codes: some clients stop at any other.
    var wireCode: Code { code.isServiceCode ? code : .internalError }
}

extension Duration {
    /// nil for a part of a second, and below zero.
    var wholeSeconds: Int? {
        let (seconds, attoseconds) = components
        return attoseconds == 0 && seconds >= 0 ? Int(seconds) : nil
    }
}
