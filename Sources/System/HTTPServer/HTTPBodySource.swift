/// Makes an answer's body in pieces, for answers that are too long to be kept or not there yet.
///
/// It lives on the loop's thread, and is asked for a piece when the client has taken those before,
/// at the end of a turn, after ``HTTPApplication/endOfTurn(_:)``. A client that goes away lets go of
/// it. It must not change what is to be committed: what it answers to others is sent without a
/// commit.
package protocol HTTPBodySource: AnyObject {
    /// How long the whole body is, where that is known; nil sends it in chunks. A body that ends
    /// earlier or goes on longer has failed.
    var length: Int? { get }

    /// The next piece. It should take less than a millisecond, and be around 64 KiB: what is longer
    /// is kept in whole until it is sent.
    ///
    /// - Throws: Anything; the stream or connection is then cut, so that nobody takes a part for
    ///   the whole.
    func next() throws -> HTTPBodyPiece

    /// The server ends, or the client has said that it sends nothing more: a body that goes on until then
    /// has to come to its end. Any other goes on as if nothing was.
    ///
    /// - Returns: Whether it is to be asked for a piece, although it has said that it waits.
    func finish() -> Bool
}

extension HTTPBodySource {
    package func finish() -> Bool { false }
}

/// What an answer's body goes on with.
package enum HTTPBodyPiece: Sendable {
    /// Some bytes, at least one.
    case bytes([UInt8])
    /// Nothing yet; ``HTTPLoop/resumeBody(of:)`` has it asked again, when called after this.
    case waiting
    /// All pieces were handed out.
    case end
}

/// The part of an answer's body that is still to be sent.
struct UnsentBody {
    enum Step {
        case bytes(ArraySlice<UInt8>, isLast: Bool)
        case waiting
        /// The rest will never come.
        case failed
    }

    private var bytes: [UInt8]
    private var sent = 0
    private let source: (any HTTPBodySource)?
    /// What the source has still to hand out, where that is known.
    private var missing: Int?

    init(_ response: HTTPResponse) {
        bytes = response.body
        source = response.source
        missing = response.source?.length
    }

    /// What is kept of it.
    var heldBytes: Int { bytes.count }
    /// Whether it is made while it is sent.
    var hasSource: Bool { source != nil }
    /// See ``HTTPBodySource/finish()``.
    func finish() -> Bool { source?.finish() ?? false }

    /// The next bytes to send, at most `bytesMax`.
    mutating func next(_ bytesMax: Int) -> Step {
        if sent == bytes.count, let source, missing != 0 {
            do {
                switch try source.next() {
                case .bytes(let piece):
                    guard !piece.isEmpty, piece.count <= missing ?? .max else { return .failed }
                    missing = missing.map { $0 - piece.count }
                    (bytes, sent) = (piece, 0)
                case .waiting: return .waiting
                case .end: return missing == nil ? .bytes([], isLast: true) : .failed
                }
            } catch {
                return .failed
            }
        }
        let end = min(bytes.count, sent + bytesMax)
        let piece = bytes[sent..<end]
        let isLast = end == bytes.count && (source == nil || missing == 0)
        // What has gone is kept no longer: its source may let the client wait.
        if end == bytes.count, source != nil { (bytes, sent) = ([], 0) } else { sent = end }
        return .bytes(piece, isLast: isLast)
    }
}
