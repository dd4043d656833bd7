import CloudModel

/// Notices a listing that goes round in circles, without remembering all of it (Brent), or that
/// has no end.
struct LoopGuard: Sendable {
    /// Seen this often again, a token means a circle; a server may repeat itself once.
    static let repeatsMax = 3
    /// Empty pages in a row: more of them is no listing.
    static let emptyPagesMax = 1000

    private var landmark: String?
    private var sinceLandmark = 0
    private var stride = 1
    private var repeats = 0
    private var pages = 0
    private var emptyPages = 0
    private let pagesMax: Int

    init(pagesMax: Int) { self.pagesMax = pagesMax }

    /// Takes note of where a page ended.
    ///
    /// - Throws: an `unexpectedResponse` when the listing does not get on, or has too many pages.
    mutating func next(_ position: String, isEmpty: Bool = false) throws(CloudError) {
        pages += 1
        emptyPages = isEmpty ? emptyPages + 1 : 0
        guard emptyPages <= Self.emptyPagesMax else {
            throw CloudError(
                .unexpectedResponse,
                reason: "more than \(Self.emptyPagesMax) empty pages in a row")
        }
        guard pages <= pagesMax else {
            throw CloudError(
                .unexpectedResponse, reason: "the listing has more than \(pagesMax) pages")
        }
        if position == landmark {
            repeats += 1
            guard repeats < Self.repeatsMax else {
                throw CloudError(
                    .unexpectedResponse, reason: "the pages of the listing repeat")
            }
            return
        }
        sinceLandmark += 1
        if landmark == nil || sinceLandmark == stride {
            landmark = position
            sinceLandmark = 0
            stride *= 2
            repeats = 0
        }
    }
}
