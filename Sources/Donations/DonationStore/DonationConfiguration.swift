package import Basics
public import FoundationEssentials
private import OpenSSL

/// Whose donations a store holds, where, and how the open questions are decided.
public struct DonationConfiguration: Sendable {
    /// The app; its extensions give the same (A23).
    public var bundleIdentifier: String
    /// The folder; made with mode 0700 when it is missing. Empty: in memory.
    public var directory: String
    /// The time, so that expiry can be tested.
    public var now: @Sendable () -> Date
    /// A15: the activity types the app declares; nil: any is taken.
    public var activityTypes: Set<String>?
    /// The type an activity gets that is made without one: the first of the app's list.
    public var firstActivityType: String?
    /// A5: whether only activities that may be found by searching are suggested.
    public var requiresSearchEligibilityForPrediction = false
    /// A18: how many canonical bytes of `userInfo` may be handed to another device.
    public var handoffBytesMax = 3 * 1024
    /// How long an item stays when the app names no date: one month.
    public var itemLifetime: Duration = .seconds(30 * 86_400)
    /// How long ``DonationStore/expire()`` waits for the delegate of an index.
    public var delegateWaitMax: Duration = .seconds(60)
    /// How many rows a receipt lists; it counts all.
    public var receiptEntriesMax = 1000
    /// M2: a deletion whose identifiers match nothing throws.
    public var isStrict = false
    /// What stands for an identifier in receipts; SHA-256 when nil.
    public var digest: (@Sendable ([UInt8]) -> [UInt8])?
    /// How long a call waits for another process.
    public var busyTimeout: Duration = .seconds(10)
    /// Whether commits wait for the disk. Only off for measurements.
    package var isDurable = true
    /// Whether deleted words and pages are taken out of the files while nobody waits. Only off for
    /// tests that copy the files meanwhile.
    package var cleansWhileIdle = true
    /// How many numbers of rows the pieces of a new file's search tables have, as a power of two.
    /// Only less in tests.
    package var searchPieceBits = 16
    /// The clock that ``delegateWaitMax`` is measured by.
    package var waitClock: any Clock<Duration> = ContinuousClock()
    /// Called around each commit and each file that is written or removed, for tests that end a
    /// run there.
    package var hook: StoreHook?

    /// The store of an app.
    ///
    /// - Parameter now: The time: a closure that makes a new `Date`.
    public init(
        bundleIdentifier: String, directory: String, now: @escaping @Sendable () -> Date
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.directory = directory
        self.now = now
    }

    /// The store of an app.
    package init(bundleIdentifier: String, directory: String, clock: WallClock) {
        self.init(bundleIdentifier: bundleIdentifier, directory: directory) {
            Date(timeIntervalSince1970: Double(clock.now.milliseconds) / 1000)
        }
    }

    /// The time, in whole milliseconds.
    package var moment: Timestamp { Timestamp(now()) }
    /// The file.
    package var databasePath: String { directory + "/donations.sqlite" }
    /// Where the images are.
    package var imageFolder: String { directory + "/images" }

    /// What stands for a name in receipts.
    package func digested(_ bytes: [UInt8]) -> [UInt8] {
        digest?(bytes) ?? Self.sha256(bytes)
    }

    private static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }
}

extension Timestamp {
    /// The millisecond a date lies in.
    package init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.toNearestOrEven)
        self.init(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
    }

    /// The date of this millisecond.
    package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
