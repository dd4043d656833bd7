package import ClientLinter
import CloudModel
import HTTPServer
import MockFaults
package import MockStore

/// Everything that observes requests and their responses: the journal, metrics, the client checks, the positions
/// of devices in change feeds, and the event stream.
///
/// The journal and the metrics have every request at once. Events, checks and positions count a request when its
/// batch is committed: before that no client has its response.
package final class ExchangeObservers {
    package var journal: RequestJournal
    package private(set) var metrics = RequestMetrics()
    /// Whether clients are checked.
    package var checksClients: Bool
    package private(set) var linter = Linter()
    package private(set) var positions = FeedPositions()
    package private(set) var events = EventFeed()
    package var listeners = FeedListeners()
    /// Of the open batch, for the linter.
    private var exchanges: [ClientExchange] = []
    /// Of the open batch.
    private var reads: [FeedPositions.Read] = []

    private let store: MockStore

    package init(_ store: MockStore, journal: RequestJournal, checksClients: Bool = false) {
        self.store = store
        self.journal = journal
        self.checksClients = checksClients
    }

    /// Observes a request whose response is ready, and what it changed in the store.
    package func note(_ record: ExchangeRecord) {
        journal.append(record.entry)
        metrics.note(record.entry)
        let number = journal.total
        events.note(.request(number))
        for fault in record.entry.faults { events.note(.fault(id: fault, request: number)) }
        noteChanges(by: number)
        reads += FeedPositions.reads(in: record)
        guard checksClients, let request = record.request else { return }
        exchanges.append(
            ClientExchange(
                record, number: number, request, operationsMax: store.options.operationsMax))
    }

    /// Observes what changed in the store since this was called last.
    ///
    /// - Parameter request: The number of the request that changed it; nil: none did.
    func noteChanges(by request: Int? = nil) {
        let (changes, lost) = store.takeChanges()
        for change in changes { events.note(.change(change, request: request)) }
        if lost > 0 { events.noteLost(lost) }
    }

    /// Observes what is no request of a client.
    package func note(_ event: FeedEvent) { events.note(event) }

    /// Forgets all findings, and what clients did so far.
    package func forgetFindings() {
        linter.removeAll()
        exchanges = []
    }

    /// Forgets where devices stand in feeds that are emptied or replaced.
    package func forgetPositions(_ scope: ResetScope = ResetScope()) { positions.forget(scope) }

    /// Ends the open batch.
    func settle(_ outcome: CommitBatch.Outcome) {
        events.settle(outcome)
        if outcome == .committed {
            for exchange in exchanges { linter.note(exchange) }
            for read in reads { positions.note(read) }
        }
        exchanges.removeAll(keepingCapacity: true)
        reads.removeAll(keepingCapacity: true)
    }
}
