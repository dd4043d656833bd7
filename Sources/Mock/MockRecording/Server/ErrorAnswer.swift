import CloudModel
private import CloudWire

/// Errors of ours, in the service's form.
enum ErrorAnswer {
    /// Tells that no service has given this answer.
    static let header = "x-cksweep-recording"

    /// - Parameter number: Of the request; tells apart what is said to several.
    static func make(_ error: CloudError, number: Int) -> RecordedAnswer {
        let digits = String(number, radix: 16)
        let uuid =
            "00000000-0000-4000-8000-"
            + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
        var writer = ReplyWriter { uuid }
        let wire = writer.write(error)
        return RecordedAnswer(
            status: wire.status,
            headers: [
                .init("content-type", "application/json; charset=UTF-8"),
                .init("access-control-allow-origin", "*"), .init(header, "answer"),
            ], body: wire.body)
    }
}
