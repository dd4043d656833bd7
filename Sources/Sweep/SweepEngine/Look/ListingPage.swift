import Journal

/// One page of a listing.
struct ListingPage: Sendable {
    /// Where the next page begins; nil: there is none.
    let next: String?
    /// Whether the service had nothing on this page, which a listing may do only so often.
    let isEmpty: Bool
    /// What is to be written to the journal.
    var rows: [SeenRow] = []
    /// False for what is told elsewhere already, so that nothing counts twice.
    var isNews = true
}
