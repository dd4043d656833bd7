import CNghttp2

/// Header fields as nghttp2 wants them.
enum HTTP2Fields {
    /// Submits an answer's head, and its body from `provider` unless that is nil.
    ///
    /// - Parameter length: What `content-length` says; nil leaves it out.
    /// - Returns: 0, or nghttp2's error.
    static func submit(
        _ response: HTTPResponse, length: Int?, date: borrowing DateField, to stream: Int32,
        on session: OpaquePointer, provider: UnsafePointer<nghttp2_data_provider>?
    ) -> Int32 {
        let status = Array(String(response.status).utf8)
        let lengthText = length.map { Array(String($0).utf8) }
        let (headers, date) = (response.headers, date.value)
        // nghttp2 copies all names and values before it returns.
        return unsafe headers.text.withUnsafeBufferPointer { text in
            unsafe status.withUnsafeBufferPointer { status in
                unsafe date.withUnsafeBufferPointer { date in
                    unsafe (lengthText ?? []).withUnsafeBufferPointer { length in
                        var fields = unsafe [field(":status", status)]
                        for place in headers.fields
                        where headers.isLines || !HTTP1Writer.isReserved(headers.text, place) {
                            unsafe fields.append(field(place, in: text))
                        }
                        if !headers.contains("date") {
                            unsafe fields.append(field("date", date))
                        }
                        if lengthText != nil {
                            unsafe fields.append(field("content-length", length))
                        }
                        return unsafe nghttp2_submit_response(
                            session, stream, fields, fields.count, provider)
                    }
                }
            }
        }
    }

    /// Submits `100 Continue`.
    static func submitContinue(to stream: Int32, on session: OpaquePointer) {
        unsafe Array("100".utf8).withUnsafeBufferPointer { value in
            let fields = unsafe [field(":status", value)]
            unsafe _ = nghttp2_submit_headers(session, 0, stream, nil, fields, 1, nil)
        }
    }

    private static func field(
        _ name: StaticString, _ value: UnsafeBufferPointer<UInt8>
    ) -> nghttp2_nv {
        unsafe nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.utf8Start),
            value: UnsafeMutablePointer(mutating: value.baseAddress),
            namelen: name.utf8CodeUnitCount, valuelen: value.count, flags: 0)
    }

    private static func field(
        _ place: HTTPHeaders.Field, in text: UnsafeBufferPointer<UInt8>
    ) -> nghttp2_nv {
        let (name, value) = unsafe (text[place.name], text[place.value])
        // A value that does not come again would only push others out of the dynamic table.
        let flags = place.isUnique ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE
        return unsafe nghttp2_nv(
            name: UnsafeMutablePointer(mutating: UnsafeBufferPointer(rebasing: name).baseAddress),
            value: UnsafeMutablePointer(mutating: UnsafeBufferPointer(rebasing: value).baseAddress),
            namelen: name.count, valuelen: value.count, flags: UInt8(flags.rawValue))
    }
}
