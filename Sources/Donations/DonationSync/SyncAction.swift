package import Basics
package import CloudModel

/// What a ``SyncMachine`` asks of the one who drives it.
package enum SyncAction: Sendable, Hashable {
    /// Read this from the machine's database and hand the answer to `received`.
    case read(CloudRead)
    /// Write this to the donation zone and hand the answer to `received`.
    case write(ExchangeCommand)
    /// Nothing before this moment; it is stored. Start again then.
    case wait(until: Timestamp, SyncWait)
    /// Start again in another transaction: there is more to do than one should hold.
    case again
    /// At rest until a timer, a hint or a local change.
    case idle
    /// Stopped until somebody does something about it.
    case halted(SyncHalt)
}
