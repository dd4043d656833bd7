/// What the exchange asks of the machine that runs it.
enum ExchangeStep: Hashable {
    /// Do this and hand the answer to `received`. Only `read` and `write` come here.
    case act(SyncAction)
    /// Nothing is left to do in this round.
    case finished
    /// The donation zone was not found although it was alive: the machine asks the feed.
    case zoneNotFound
    /// The service asks for time: the machine waits, and starts the round again then.
    case wait(SyncWait, retryAfter: Duration?)
    /// The round cannot go on.
    case halted(SyncHalt)

    /// What follows an answer of another shape than was asked for, as it follows
    /// `CloudError.Code.unexpectedResponse`.
    static let unexpected = ExchangeStep.wait(.unavailable, retryAfter: nil)
}

/// A request of a stage, and how it is sent.
struct ExchangeAsk {
    let request: ExchangeRequest
    let action: SyncAction
    /// How many items its answer has.
    var count = 1
}

/// What follows from an answer.
enum StageResult {
    /// The round goes on in its order.
    case proceed
    /// This is asked next.
    case ask(ExchangeAsk)
    /// The token was refused: the zone's record is looked at before anything else.
    case doubtZone
    /// The round begins anew, in another zone or another life of this device.
    case restart
    /// The round stops here.
    case stop(ExchangeStep)
}
