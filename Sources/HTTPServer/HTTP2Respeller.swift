private import Glibc

/// Spells a request's path in plain where the client sent the same before in Huffman's code.
///
/// Clients of CloudKit send their tokens, some 250 bytes, in the path of every request, and HTTP/2's
/// table has no place for paths. nghttp2 reads the code half a byte at a time, which takes longer
/// than all else it does to read a request. Both spellings mean the same (RFC 7541 section 5.2), so
/// the few paths that a connection sent last are kept in both, and nghttp2 is handed the plain one.
///
/// Whatever else there is, and a frame that came in pieces, passes as it is.
package struct HTTP2Respeller {
    /// A path as it was sent and in plain, each with its length before it.
    private struct Path {
        let sent: [UInt8]
        let plain: [UInt8]
    }

    /// A path whose plain spelling nghttp2 is about to tell.
    private struct Unknown {
        let sent: [UInt8]
        let stream: Int32
        let number: Int
    }

    private var paths: [Path] = []
    private var oldest = 0
    private var unknown: Unknown?
    /// What is still to come of a frame whose beginning has passed; at first the preface.
    private var rest = Self.prefaceBytes
    /// The beginning of a frame's head whose end is still to come.
    private var head: [UInt8] = []

    package init() {}

    private static let prefaceBytes = 24
    private static let frameHeadBytes = 9
    private static let pathsMax = 4
    /// Shorter ones are read quickly, longer ones are not kept.
    private static let sentBytes = 48...2048
    /// The longest frame that clients may send (RFC 9113 section 6.5.2).
    private static let frameBytesMax = 1 << 14

    /// Copies `bytes`, which the client sent next, to `out` with paths in plain.
    ///
    /// - Returns: False when nothing is to be changed; `out` is empty then.
    package mutating func respell(_ bytes: Span<UInt8>, into out: inout [UInt8]) -> Bool {
        out.removeAll(keepingCapacity: true)
        // What nghttp2 did not tell of the last bytes it will not tell any more.
        unknown = nil
        var copied = 0
        var at = beginning(of: bytes)
        while bytes.count - at >= Self.frameHeadBytes {
            let payload = at + Self.frameHeadBytes
            let end = payload + Self.length(bytes, at)
            guard end <= bytes.count else { break }
            if let block = Self.block(bytes, at, end),
                let place = HTTP2PathPlace(in: bytes, block),
                Self.sentBytes.contains(place.value.count)
            {
                if let path = path(bytes, place.value) {
                    let length = end - payload - place.value.count + path.plain.count
                    if length <= Self.frameBytesMax {
                        Self.append(bytes, copied..<at, to: &out)
                        for shift in [16, 8, 0] {
                            out.append(UInt8(truncatingIfNeeded: length >> shift))
                        }
                        Self.append(bytes, at + 3..<place.value.lowerBound, to: &out)
                        out.append(contentsOf: path.plain)
                        copied = place.value.upperBound
                    }
                } else if unknown == nil {
                    unknown = Unknown(
                        sent: place.value.map { bytes[$0] }, stream: Self.stream(bytes, at),
                        number: place.number)
                }
            }
            at = end
        }
        notePartial(bytes, at)
        guard copied > 0 else { return false }
        Self.append(bytes, copied..<bytes.count, to: &out)
        return true
    }

    /// Whether ``learn(_:stream:number:)`` is to be told of paths.
    package var isCurious: Bool { unknown != nil }

    /// Takes a path that nghttp2 has read, in plain.
    ///
    /// - Parameter number: How many fields came before it.
    package mutating func learn(_ path: UnsafeBufferPointer<UInt8>, stream: Int32, number: Int) {
        // Another number is another field: the head has two paths, and the other one counts.
        guard let unknown, unknown.stream == stream, unknown.number == number else { return }
        self.unknown = nil
        var plain: [UInt8] = []
        if path.count < 0x7F {
            plain.append(UInt8(path.count))
        } else {
            plain.append(0x7F)
            var left = path.count - 0x7F
            while left >= 0x80 {
                plain.append(UInt8(truncatingIfNeeded: left) | 0x80)
                left >>= 7
            }
            plain.append(UInt8(left))
        }
        unsafe plain.append(contentsOf: path)
        let known = Path(sent: unknown.sent, plain: plain)
        if paths.count < Self.pathsMax {
            paths.append(known)
        } else {
            paths[oldest] = known
            oldest = (oldest + 1) % Self.pathsMax
        }
    }

    private func path(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Path? {
        paths.first { path in
            guard path.sent.count == value.count else { return false }
            return unsafe bytes.extracting(value).withUnsafeBytes { value in
                unsafe path.sent.withUnsafeBytes { sent in
                    guard let first = value.baseAddress, let second = sent.baseAddress else {
                        return false
                    }
                    return unsafe memcmp(first, second, value.count) == 0
                }
            }
        }
    }

    // MARK: Frames

    /// Where the first frame begins whose head is all in `bytes`.
    private mutating func beginning(of bytes: Span<UInt8>) -> Int {
        var at = min(rest, bytes.count)
        rest -= at
        while !head.isEmpty, at < bytes.count {
            head.append(bytes[at])
            at += 1
            guard head.count == Self.frameHeadBytes else { continue }
            rest = Self.length(head.span, 0)
            head.removeAll(keepingCapacity: true)
            let some = min(rest, bytes.count - at)
            rest -= some
            at += some
        }
        return at
    }

    /// Notes how much of a frame that begins at `at` is still to come.
    private mutating func notePartial(_ bytes: Span<UInt8>, _ at: Int) {
        let count = bytes.count - at
        if count >= Self.frameHeadBytes {
            rest = Self.frameHeadBytes + Self.length(bytes, at) - count
        } else {
            for index in at..<bytes.count { head.append(bytes[index]) }
        }
    }

    /// The payload's length of the frame that begins at `at`.
    private static func length(_ bytes: Span<UInt8>, _ at: Int) -> Int {
        Int(bytes[at]) << 16 | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2])
    }

    private static func stream(_ bytes: Span<UInt8>, _ at: Int) -> Int32 {
        (5..<9).reduce(0) { $0 << 8 | Int32(bytes[at + $1] & ($1 == 5 ? 0x7F : 0xFF)) }
    }

    /// The header block of a frame, if it has all of one, and nothing beside it but a priority.
    private static func block(_ bytes: Span<UInt8>, _ at: Int, _ end: Int) -> Range<Int>? {
        let (endsHead, isPadded, hasPriority): (UInt8, UInt8, UInt8) = (0x4, 0x8, 0x20)
        let flags = bytes[at + 4]
        guard bytes[at + 3] == 1, flags & endsHead != 0, flags & isPadded == 0 else { return nil }
        let start = at + frameHeadBytes + (flags & hasPriority != 0 ? 5 : 0)
        return start < end ? start..<end : nil
    }

    private static func append(_ bytes: Span<UInt8>, _ range: Range<Int>, to out: inout [UInt8]) {
        unsafe bytes.extracting(range).withUnsafeBufferPointer {
            unsafe out.append(contentsOf: $0)
        }
    }
}
