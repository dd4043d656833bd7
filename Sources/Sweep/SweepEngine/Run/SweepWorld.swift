package import Basics
package import CloudCourier
package import CloudModel
package import DonationStore
package import Journal

/// What a sweep needs of the world besides the databases: handed in, so that tests decide.
package struct SweepWorld: Sendable {
    /// The folder with the journal and the key for pseudonyms; made with mode 0700 when missing.
    package var stateFolder: String
    /// For waiting.
    package var clock: any Clock<Duration>
    /// For stamps.
    package var wallClock: WallClock
    /// For jitter and identifiers.
    package var seed: UInt64
    package var toolVersion: String
    package var stop: StopSignal
    /// The server behind the databases.
    package var server = ServerFacts(url: "in process", isRehearsal: true)
    /// SHA-256 of the public key in the server's certificate, once it has answered.
    package var serverKey: @Sendable () -> String? = { nil }
    /// How far the server's clock is from ours, once it has answered.
    package var clockSkew: @Sendable () -> ClockSkew? = { nil }
    /// SHA-256 of the program, in hexadecimal; asked for when evidence is written.
    package var toolBuild: @Sendable () -> String? = { nil }
    /// Asks the addresses of assets; nil: nobody can, and assets cannot be proven to be gone.
    package var assetProbe: (any AssetProbe)?
    /// Told of everything that happens, from any thread; must be quick.
    package var tell: @Sendable (SweepEvent) -> Void

    /// The donations of the app whose containers are swept; nil: none are known.
    package var donations: DonationStore?

    /// Where an export fetches the bytes of assets; nil: nothing is exported.
    package var assets: (any AssetReading)?

    /// Whose locks these are.
    package var process = ProcessIdentity.current()
    /// Whether the process that holds a lock still runs.
    package var isAlive: @Sendable (ProcessIdentity) -> Bool = { $0.seemsAlive() }
    /// What the wall clock of a run reads.
    var steadyClock: SteadyClock?
    /// For tests that cut a run off at a commit.
    package var journalHook: SQLiteJournal.CommitHook?

    package init(
        stateFolder: String, clock: any Clock<Duration>, wallClock: WallClock, seed: UInt64,
        toolVersion: String, stop: StopSignal = StopSignal(),
        tell: @escaping @Sendable (SweepEvent) -> Void = { _ in }
    ) {
        self.stateFolder = stateFolder
        self.clock = clock
        self.wallClock = wallClock
        self.seed = seed
        self.toolVersion = toolVersion
        self.stop = stop
        self.tell = tell
    }

    /// The journal in the state folder.
    func makeJournal() -> any Journal {
        SQLiteJournal(
            folder: stateFolder, isAlive: isAlive, hook: journalHook)
    }
}
