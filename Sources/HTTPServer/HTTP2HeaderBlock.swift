import CNghttp2

/// Lays an answer's header fields out for nghttp2. One for a loop, so that its arrays are made
/// once.
@safe final class HTTP2HeaderBlock {
    /// The values of the server's own fields: `:status`, `date` and `content-length`.
    private var own = Array("000---, -- --- ---- --:--:-- GMT".utf8)
    /// Whose date stands there.
    private var second: Int64?
    private var fields: [nghttp2_nv] = unsafe []
    /// The shared fields of the last answer, laid out; the next answer mostly has the same.
    private var latest: HTTPHeaders.Shared?
    @exclusivity(unchecked) private var latestFields: [nghttp2_nv] = unsafe []

    // Where they stand: all but the last are of one length.
    private static let status = 0..<3
    private static let date = 3..<32

    /// Submits an answer's head, and its body from `provider` unless that is nil.
    ///
    /// `length` is told to the client where it is not nil.
    /// nghttp2 copies all but the shared fields, which have to live until the head is sent.
    func submit(
        _ response: HTTPResponse, length: Int?, date: borrowing DateField, to stream: Int32,
        on session: OpaquePointer, indexesUnique: Bool,
        provider: UnsafePointer<nghttp2_data_provider>?
    ) -> Int32 {
        // Moved out and back: each access to a stored property costs a check.
        var own: [UInt8] = []
        swap(&own, &self.own)
        var fields: [nghttp2_nv] = unsafe []
        unsafe swap(&fields, &self.fields)
        defer {
            swap(&own, &self.own)
            unsafe swap(&fields, &self.fields)
        }
        let status = UInt(response.status)
        own[0] = 0x30 + UInt8(truncatingIfNeeded: status / 100)
        own[1] = 0x30 + UInt8(truncatingIfNeeded: status / 10 % 10)
        own[2] = 0x30 + UInt8(truncatingIfNeeded: status % 10)
        if second != date.second {
            own.replaceSubrange(Self.date, with: date.value)
            second = date.second
        }
        own.removeLast(own.count - Self.date.upperBound)
        if let length { HTTP1Writer.appendNumber(length, to: &own) }
        unsafe fields.removeAll(keepingCapacity: true)
        return unsafe own.withUnsafeBufferPointer { own in
            unsafe Self.add(":status", own[Self.status], to: &fields)
            if let shared = response.headers.shared {
                if latest !== shared { layOut(shared) }
                unsafe fields.append(contentsOf: latestFields)
            }
            return unsafe response.headers.text.withUnsafeBufferPointer { text in
                unsafe Self.add(
                    text, of: response.headers, indexesUnique: indexesUnique, to: &fields)
                if !response.headers.hasDate {
                    unsafe Self.add("date", own[Self.date], to: &fields)
                }
                if length != nil {
                    unsafe Self.add(
                        "content-length", own[Self.date.upperBound...], to: &fields)
                }
                return unsafe nghttp2_submit_response(
                    session, stream, fields, fields.count, provider)
            }
        }
    }

    private func layOut(_ shared: HTTPHeaders.Shared) {
        let flags = UInt8(
            NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)
        unsafe latestFields.removeAll(keepingCapacity: true)
        unsafe Self.add(
            UnsafeBufferPointer(shared.text), of: shared.headers, to: &latestFields)
        for index in unsafe latestFields.indices { unsafe latestFields[index].flags |= flags }
        latest = shared
    }

    /// Submits `100 Continue`.
    static func submitContinue(to stream: Int32, on session: OpaquePointer) {
        var name = Array(":status".utf8)
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

    private static func add(
        _ text: UnsafeBufferPointer<UInt8>, of headers: HTTPHeaders, indexesUnique: Bool = false,
        to fields: inout [nghttp2_nv]
    ) {
        for field in headers.fields
        where headers.isLines || !HTTP1Writer.isReserved(headers.text, field) {
            var field = field
            if indexesUnique { field.isUnique = false }
            unsafe add(text, field, to: &fields)
        }
    }

    /// A field of the server's own, whose name nghttp2 need not copy.
    private static func add(
        _ name: StaticString, _ value: Slice<UnsafeBufferPointer<UInt8>>,
        to fields: inout [nghttp2_nv]
    ) {
        guard let base = unsafe value.base.baseAddress else { return }
        unsafe fields.append(
            nghttp2_nv(
                name: UnsafeMutablePointer(mutating: name.utf8Start),
                value: UnsafeMutablePointer(mutating: base + value.startIndex),
                namelen: name.utf8CodeUnitCount, valuelen: value.count,
                flags: UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)))
    }

    private static func add(
        _ text: UnsafeBufferPointer<UInt8>, _ field: HTTPHeaders.Field,
        to fields: inout [nghttp2_nv]
    ) {
        guard let base = text.baseAddress else { return }
        let flags = field.isUnique ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE
        unsafe fields.append(
            nghttp2_nv(
                name: UnsafeMutablePointer(mutating: base + field.name.lowerBound),
                value: UnsafeMutablePointer(mutating: base + field.value.lowerBound),
                namelen: field.name.count, valuelen: field.value.count,
                flags: UInt8(truncatingIfNeeded: flags.rawValue)))
    }
}
