/// Status and headers of an answer, line by line as they arrive.
struct ResponseHead {
    /// Why an answer is refused before its body is read.
    enum Refusal {
        case tooLarge
        /// What is wrong, to follow "the answer".
        case invalid(String)
    }

    private var bytesLeft: Int
    private let bodyBytesMax: Int
    private var isInterim = true
    private var isOpen = false
    private(set) var headers: [(name: String, value: String)] = []

    init(bytesMax: Int, bodyBytesMax: Int) {
        bytesLeft = bytesMax
        self.bodyBytesMax = bodyBytesMax
    }

    /// Whether the head of the final answer was read to its end.
    var isComplete: Bool { !isInterim && !isOpen }

    /// Takes a line with its end; why the answer is refused, or nil. All lines count against the
    /// limit: those of answers before the real one (1xx), and trailers.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Refusal? {
        bytesLeft -= bytes.count
        guard bytesLeft >= 0 else { return .tooLarge }
        let line = unsafe bytes.prefix { $0 != 0x0D && $0 != 0x0A }
        if isOpen {
            if unsafe line.isEmpty {
                isOpen = false
                return isInterim ? nil : check()
            }
            if let header = unsafe Self.header(line) { headers.append(header) }
        } else if isInterim, unsafe line.starts(with: "HTTP/".utf8) {
            // The line is "HTTP/1.1 103 Early Hints" or "HTTP/2 103".
            let status = unsafe line.drop { $0 != 0x20 }.dropFirst()
            isInterim = unsafe status.first == 0x31
            isOpen = true
            headers = []
        }
        return nil
    }

    /// How long the body will be, where it is announced.
    private(set) var bodyBytes: Int?

    /// The end of the head was reached.
    private mutating func check() -> Refusal? {
        for (name, value) in headers {
            switch name {
            case "content-length":
                guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                    return .invalid("has a Content-Length that is not a number")
                }
                let count = Int(value) ?? .max
                guard bodyBytes == nil || bodyBytes == count else {
                    return .invalid("has two lengths")
                }
                bodyBytes = count
            case "content-encoding" where value.lowercased() != "identity",
                "transfer-encoding" where value.lowercased() != "chunked":
                return .invalid("is encoded, which was not requested (\(name))")
            default: break
            }
        }
        return (bodyBytes ?? 0) > bodyBytesMax ? .tooLarge : nil
    }

    private static func header(
        _ line: Slice<UnsafeRawBufferPointer>
    ) -> (name: String, value: String)? {
        guard let colon = unsafe line.firstIndex(of: 0x3A) else { return nil }
        let name = unsafe String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var value = unsafe line[(colon + 1)...].drop(while: isBlank)
        while let last = unsafe value.last, isBlank(last) { unsafe value.removeLast() }
        return (name, unsafe String(decoding: value, as: UTF8.self))
    }
}
