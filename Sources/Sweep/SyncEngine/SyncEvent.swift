package import Basics
package import CloudModel
package import DonationStore
package import DonationSync

/// What happens during a sync, as it happens.
package enum SyncEvent: Sendable {
    case roundBegan(number: Int)
    case databaseBegan(Database.Address)
    /// A request will be repeated, or a feed read on, not before this moment.
    case waiting(Database.Address, SyncWait, until: Timestamp, wait: Duration)
    case databaseEnded(SyncedDatabase)
    case roundEnded(number: Int)
    /// What was counted so far, in all databases.
    case progress(SyncReport)
}

/// How one database's round ended, and what it did.
package struct SyncedDatabase: Sendable, Hashable {
    /// Why a round ended.
    package enum Ending: Sendable, Hashable {
        /// Everything was read, and everything there was to send was sent.
        case idle
        /// It takes longer than anybody waits here.
        case waiting(SyncWait, until: Timestamp)
        case halted(SyncHalt)
        /// Somebody asked to stop.
        case stopped
        /// What has to be on disk could not be written or read.
        case failed(DonationError)
        /// The fences could not be read: nothing is done without them.
        case withoutFences(String)
    }

    package let address: Database.Address
    package let ending: Ending
    package let report: SyncReport
}
