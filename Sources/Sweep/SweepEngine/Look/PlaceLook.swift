import CloudModel
import Journal

/// What a place is given to look with: one database of one container, the person, and the journal.
struct PlaceLook: Sendable {
    let request: SweepRequest
    let target: SweepRequest.Target
    /// The container's place in the run's list.
    let index: Int
    let scope: Database.Scope
    let database: any CloudDatabaseReading
    let person: UserIdentity
    let types: TypeBook
    /// The types that a place is to list by this time.
    let listing: [String]
    let courier: SweepCourier
    let journal: any Journal
    let run: Int64
    /// Under which look the rows are kept.
    let look: Look
    let tell: @Sendable (SweepEvent) -> Void

    var container: Container.ID { target.container }

    /// Sends a command that changes nothing. An answer that is not what was asked for is none.
    func read(_ command: CloudRead) async throws(SweepFailure) -> CloudReply {
        try await courier.read(command, from: database, for: person.userRecordName)
    }

    /// A zone of the person's own, so that another person's session cannot be answered for it.
    func own(_ zone: RecordZone.ID) -> RecordZone.ID {
        scope == .private
            ? RecordZone.ID(zone.zoneName, ownerRecordName: person.userRecordName) : zone
    }

    // MARK: Pages

    /// Reads a listing to its end. What a page tells is written while the next one is under way.
    ///
    /// - Parameter ask: Sends for the page after a position (nil: the first).
    /// - Throws: `refused` when the listing does not get on; with the service's own code only when no page of
    ///   it was answered, since callers conclude from such a code that there is nothing to list.
    func eachPage(
        _ ask: (String?) async throws(SweepFailure) -> ListingPage
    ) async throws(SweepFailure) {
        var guardian = LoopGuard(pagesMax: request.limits.pagesMax)
        var startedAnew = false
        var position: String?
        var isAnswered = false
        var written = ListingPage(next: nil, isEmpty: true)
        while true {
            let last = written
            async let writing = attempt { () async throws(SweepFailure) in try await write(last) }
            let asked: Result<ListingPage, SweepFailure>
            do throws(SweepFailure) {
                asked = .success(try await ask(position))
            } catch {
                asked = .failure(error)
            }
            try await writing.get()
            switch asked {
            case .success(let page):
                isAnswered = true
                guard let next = page.next else { return try await write(page) }
                do throws(CloudError) {
                    try guardian.next(next, isEmpty: page.isEmpty)
                } catch {
                    throw .refused(error)
                }
                position = next
                written = page
            case .failure(let error):
                // A position can be too old by the time it is used: begin again, once.
                guard case .refused(let cloudError) = error, cloudError.code == .badRequest,
                    position != nil, !startedAnew
                else { throw isAnswered ? error.ofLaterPage : error }
                startedAnew = true
                position = nil
                written = ListingPage(next: nil, isEmpty: true)
            }
        }
    }

    private func write(_ page: ListingPage) async throws(SweepFailure) {
        try await note(page.rows, isNews: page.isNews)
    }

    // MARK: Rows

    func row(
        _ kind: ItemKind, zone: String = "", type: String = "", name: String = "", detail: Int = 0
    ) -> SeenRow {
        SeenRow(
            container: index, scope: scope, kind: kind, zone: zone, type: type, name: name,
            detail: detail)
    }

    /// Writes rows to the journal.
    ///
    /// - Parameter isNews: False for what is told elsewhere already, so that nothing counts twice.
    func note(_ rows: [SeenRow], isNews: Bool = true) async throws(SweepFailure) {
        guard let first = rows.first else { return }
        try await journal.remember([.seen(look, rows)], run: run)
        guard isNews, let kind = Places.kind(of: first.kind, in: scope) else { return }
        courier.note { $0.seen += rows.count }
        tell(.discovered(container, scope, kind, found: rows.count))
    }

    /// A remark about a place, or about one record type or zone of it.
    func remark(
        _ kind: CoverageRow.Kind, _ outcome: CoverageRow.Outcome, _ reason: String,
        subject: String? = nil
    ) -> CoverageRow {
        CoverageRow(
            container: container, scope: scope, kind: kind, subject: subject, outcome: outcome,
            reason: reason)
    }

    /// The finding of a part that could not be read.
    ///
    /// - Throws: `failure` itself when the database did not refuse.
    func unread(
        _ kind: CoverageRow.Kind, _ subject: String?, _ failure: SweepFailure
    ) throws(SweepFailure) -> Finding {
        guard case .refused(let error) = failure else { throw failure }
        var row = remark(kind, .notLookedAt, error.inWords, subject: subject)
        row.code = error.code
        tell(.unlisted(row))
        return Finding(remarks: [row])
    }
}

extension SweepFailure {
    /// This failure, of a page after others of its listing were answered: the listing is incomplete,
    /// whatever the service says about it now.
    fileprivate var ofLaterPage: SweepFailure {
        guard case .refused(let error) = self else { return self }
        switch error.code {
        case .badRequest, .notFound, .zoneNotFound:
            return .refused(
                CloudError(
                    .unexpectedResponse, reason: "a later page cannot be read: \(error.inWords)",
                    httpStatus: error.httpStatus))
        default: return self
        }
    }
}

extension CloudError {
    /// The code, and the server's words where there are any.
    var inWords: String { reason.isEmpty ? code.rawValue : "\(code.rawValue): \(reason)" }
}
