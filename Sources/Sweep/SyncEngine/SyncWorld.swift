package import Basics
package import CloudCourier
package import DonationStore
package import Journal

/// What a sync needs of the world besides the databases: handed in, so that tests decide.
package struct SyncWorld: Sendable {
    /// The donations, and everything that a sync keeps.
    package var donations: DonationStore
    /// The folder with the journal, where the fences are.
    package var stateFolder: String
    /// For waiting.
    package var clock: any Clock<Duration>
    /// For stamps.
    package var wallClock: WallClock
    package var stop: StopSignal
    /// Told of everything that happens, from any thread; must be quick.
    package var tell: @Sendable (SyncEvent) -> Void
    /// Whose lock it is.
    package var process = ProcessIdentity.current()
    /// Whether the process that holds a lock still runs.
    package var isAlive: @Sendable (ProcessIdentity) -> Bool = { $0.seemsAlive() }

    package init(
        donations: DonationStore, stateFolder: String, clock: any Clock<Duration>,
        wallClock: WallClock, stop: StopSignal = StopSignal(),
        tell: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) {
        self.donations = donations
        self.stateFolder = stateFolder
        self.clock = clock
        self.wallClock = wallClock
        self.stop = stop
        self.tell = tell
    }
}
