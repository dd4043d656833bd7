import CNghttp2

/// Lays an answer's header fields out for nghttp2, which copies them. One for a loop, so that
/// its arrays are made once.
@safe final class HTTP2HeaderBlock {
    /// The server's own fields: `:status`, `content-length` and `date` with their values.
    private var own: [UInt8] = []
    private var fields: [nghttp2_nv] = unsafe []

    private static let status = Array(":status".utf8)
    private static let length = Array("content-length".utf8)
    private static let date = Array("date".utf8)

    /// Submits an answer's head, and its body from `provider` unless that is nil.
    func submit(
        _ response: HTTPResponse, date: borrowing DateField, to stream: Int32,
        on session: OpaquePointer, provider: UnsafePointer<nghttp2_data_provider>?
    ) -> Int32 {
        let hasBody = response.status != 204 && response.status != 304
        let hasDate = response.headers.contains("date")
        own.removeAll(keepingCapacity: true)
        own += Self.status
        HTTP1Writer.appendNumber(response.status, to: &own)
        let dateStart = own.count
        own += Self.date
        own += date.value
        let lengthStart = own.count
        own += Self.length
        HTTP1Writer.appendNumber(response.body.count, to: &own)
        unsafe fields.removeAll(keepingCapacity: true)
        let text = response.headers.text
        return unsafe own.withUnsafeBufferPointer { own in
            unsafe text.withUnsafeBufferPointer { text in
                unsafe add(own, 0..<7, 7..<dateStart)
                for field in response.headers.fields
                where !HTTP1Writer.isReserved(response.headers.text, field) {
                    unsafe add(text, field.name, field.value)
                }
                if !hasDate {
                    unsafe add(own, dateStart..<(dateStart + 4), (dateStart + 4)..<lengthStart)
                }
                if hasBody {
                    unsafe add(
                        own, lengthStart..<(lengthStart + 14), (lengthStart + 14)..<own.count)
                }
                return unsafe nghttp2_submit_response(
                    session, stream, fields, fields.count, provider)
            }
        }
    }

    /// Submits `100 Continue`.
    static func submitContinue(to stream: Int32, on session: OpaquePointer) {
        var name = status
        var value = Array("100".utf8)
        unsafe name.withUnsafeMutableBufferPointer { name in
            unsafe value.withUnsafeMutableBufferPointer { value in
                var field = unsafe nghttp2_nv(
                    name: name.baseAddress, value: value.baseAddress, namelen: name.count,
                    valuelen: value.count, flags: 0)
                unsafe _ = nghttp2_submit_headers(session, 0, stream, nil, &field, 1, nil)
            }
        }
    }

    private func add(_ text: UnsafeBufferPointer<UInt8>, _ name: Range<Int>, _ value: Range<Int>) {
        guard let base = text.baseAddress else { return }
        unsafe fields.append(
            nghttp2_nv(
                name: UnsafeMutablePointer(mutating: base + name.lowerBound),
                value: UnsafeMutablePointer(mutating: base + value.lowerBound),
                namelen: name.count, valuelen: value.count, flags: 0))
    }
}
