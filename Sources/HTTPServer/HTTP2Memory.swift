import CNghttp2
private import CShims

/// The memory of all HTTP/2 sessions of a loop: what one gives back is at hand for the next.
///
/// The requests of a turn are there at once, more than the system's allocator keeps at hand.
@safe final class HTTP2Memory {
    private let pool: UnsafeMutableRawPointer
    /// Requests that are over. No use of it lasts while anything else is called.
    @exclusivity(unchecked) private var spare: [HTTPRequest] = []
    private static let spareMax = 64
    /// A request with more than this in its body is given back to the system.
    private static let spareBytesMax = 16 << 10

    init() {
        guard let pool = unsafe cksweep_pool_make() else {
            preconditionFailure("there is no memory for HTTP/2")
        }
        unsafe self.pool = pool
    }

    deinit { unsafe cksweep_pool_end(pool) }

    /// Lends it to a session, which must not outlive it.
    func lend<Result>(_ body: (UnsafeMutablePointer<nghttp2_mem>) -> Result) -> Result {
        var functions = unsafe nghttp2_mem(
            mem_user_data: pool, malloc: cksweep_pool_malloc, free: cksweep_pool_free,
            calloc: cksweep_pool_calloc, realloc: cksweep_pool_realloc)
        return unsafe body(&functions)
    }

    /// A request whose memory is to be used again; see ``HTTP2Head``.
    func takeRequest() -> HTTPRequest { unsafe spare.popLast() ?? .blank }

    /// Keeps the memory of a request that is over.
    func keep(_ request: consuming HTTPRequest) {
        guard unsafe spare.count < Self.spareMax, request.body.capacity <= Self.spareBytesMax,
            request.headers.text.capacity <= Self.spareBytesMax
        else { return }
        unsafe spare.append(consume request)
    }
}
