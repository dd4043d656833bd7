package import CloudModel
package import Donations

/// What the exchange asks of the machine that runs it.
package enum ExchangeStep: Sendable, Hashable {
    /// Do this and hand the answer to `received`. Only `read`, `write` and `again` come here.
    case act(SyncAction)
    /// Nothing is left to do in this round.
    case finished
    /// The donation zone was not found although it was alive: the machine asks the feed.
    case zoneNotFound
    /// The service asks for time: the machine waits, and starts the round again then.
    case wait(SyncWait, retryAfter: Duration?)
    /// The round cannot go on.
    case halted(SyncHalt)
}

/// The exchange of donations between a user's devices, in the app's own zone: opt-in.
///
/// Runs inside the machine of the private database of the app's default container, after the
/// content zones. Failures that have nothing to do with the exchange, such as no network, are
/// the machine's; every other answer comes here.
package struct Exchange: Sendable {
    package let zone: DonationZone
    private let digest: SyncDigest
    private let rules: SyncRules

    /// The exchange in a zone.
    package init(zone: DonationZone, digest: SyncDigest, rules: SyncRules = .standard) {
        self.zone = zone
        self.digest = digest
        self.rules = rules
    }

    /// Begins a round, or goes on after a crash; `isDirty`: the feed said the zone changed.
    package mutating func start<Storage: SyncStorage>(
        _ storage: inout Storage, _ entropy: inout SyncEntropy, isDirty: Bool, now: Timestamp,
        report: inout SyncReport
    ) throws(Storage.Failure) -> ExchangeStep {
        .finished
    }

    /// Takes the answer to what was asked last.
    package mutating func received<Storage: SyncStorage>(
        _ reply: Result<CloudReply, CloudError>, _ storage: inout Storage,
        _ entropy: inout SyncEntropy, now: Timestamp, report: inout SyncReport
    ) throws(Storage.Failure) -> ExchangeStep {
        .finished
    }

    /// The donation zone is gone, or fenced: what the exchange manages goes (5.5). The machine
    /// stores the zone's status itself.
    package mutating func zoneLost<Storage: SyncStorage>(
        _ reason: SyncGoneReason, _ storage: inout Storage, now: Timestamp,
        report: inout SyncReport
    ) throws(Storage.Failure) {}

    /// The donation zone is fenced: nothing is sent, what was pending goes to the rescue log.
    package mutating func zoneFenced<Storage: SyncStorage>(
        _ storage: inout Storage, now: Timestamp, report: inout SyncReport
    ) throws(Storage.Failure) {}

    /// Journals a deletion that is to act on all devices. Called in the transaction of the local
    /// deletion (R12), also while uploading is off (R13); does nothing for selectors that do
    /// not travel.
    package static func noteDeletion<Storage: SyncStorage>(
        _ selector: DonationSelector, _ storage: inout Storage, now: Timestamp
    ) throws(Storage.Failure) {}
}
