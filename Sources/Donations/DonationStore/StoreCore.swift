import Basics
import Donations
import SQLite

/// The store's tables, used by its thread alone.
///
/// Everything happens inside the transaction that ``carryOut(_:)`` opens; what has to wait for the
/// commit, such as removing files, is noted and done after it.
final class StoreCore {
    let connection: Connection
    let configuration: DonationConfiguration
    let images: ImageFolder
    /// The activity this process shows as its current one.
    var current: CurrentActivity?
    /// The key of the marks that suggestions are counted by, once it was read.
    var knownMarkKey: (UInt64, UInt64)?
    /// The private keys of the app's objects without a persistent identifier.
    var objectKeys: [UInt64: String] = [:]
    /// Rows of each kind, as far as they were counted.
    private var tallies: [DonationKind: Int] = [:]
    private var dataVersion: Int64 = -1
    private var failure: DonationError?
    private var isClosing = false
    /// Whether commits wait for the disk now.
    private var isWaiting = true
    /// From which number on the texts of new rows are added later, by kind.
    var textsLater: [DonationKind: Int64] = [:]
    /// How many rows were taken out of each search table since it was cleaned.
    var forgotten: [String: Int] = [:]
    /// How rows are spread over search tables, as far as it was read.
    var layouts: [DonationKind: SearchLayout] = [:]
    /// Which pieces the search tables have, as far as it was read.
    var pieceNumbers: [DonationKind: Set<Int64>] = [:]
    /// Whether the log has pages with what was deleted since.
    var hasDeleted = false
    /// Whether everything noted is to be cleaned after this commit.
    var cleansAfterwards = false

    init(_ configuration: DonationConfiguration) throws(DonationError) {
        self.configuration = configuration
        images = ImageFolder(configuration)
        connection = try Self.open(configuration)
        try sweepImages()
        resumeCleaning()
    }

    /// The time of this call.
    var now: Timestamp { configuration.moment }

    /// What stands for a name in a receipt.
    func digest(_ name: String) -> String {
        Hexadecimal.encode(configuration.digested(Array(name.utf8)))
    }

    /// Whether nothing may be written any more.
    var isBroken: Bool { failure != nil }

    /// The file is emptied of its log when this order is done.
    func closesAfterwards() { isClosing = true }

    // MARK: Transactions

    /// Carries out orders in one transaction and tells each what came of it, in order.
    ///
    /// One that is alone needs no mark inside the transaction: a mark keeps a copy of every page
    /// that is changed after it, in memory, and walks through them at each statement.
    func carryOut(_ orders: ArraySlice<Order>) {
        if let failure {
            for order in orders { order.failed(failure) }
            return
        }
        let writes = orders.contains(where: \.writes)
        let (current, keys) = (current, objectKeys)
        var finishes: [@Sendable () -> Void] = []
        do throws(DonationError) {
            if writes { try setWaiting(orders.contains { $0.writes && $0.waits }) }
            try begin(writes: writes)
            if orders.count == 1, let order = orders.first {
                finishes.append(try order.work(self))
            } else {
                for order in orders { finishes.append(try carryOut(order)) }
            }
            try commit(writes: writes)
        } catch {
            undo(error, isAlone: orders.count == 1, current: current, keys: keys)
            for order in orders { order.failed(error) }
            return
        }
        tidyUp()
        for finish in finishes { finish() }
    }

    /// Undoes the transaction; an order that was alone and refused takes nothing else with it.
    private func undo(
        _ error: DonationError, isAlone: Bool, current: CurrentActivity?, keys: [UInt64: String]
    ) {
        let isRefused = isAlone && connection.isInTransaction && !Self.isFatal(error)
        // Files are removed while the transaction still holds its lock.
        if isRefused { images.undo(to: .none) } else { images.giveUp() }
        connection.rollback()
        forgetTallies()
        self.current = isRefused ? current : nil
        objectKeys = keys
    }

    /// Whether more than one order's own work failed.
    private static func isFatal(_ error: DonationError) -> Bool {
        error.code == .inputOutput || error.code == .broken
    }

    /// Says whether the next commit waits for the disk.
    private func setWaiting(_ waits: Bool) throws(DonationError) {
        guard configuration.isDurable, waits != isWaiting else { return }
        try execute("PRAGMA synchronous = \(waits ? "FULL" : "NORMAL")")
        isWaiting = waits
    }

    private func begin(writes: Bool) throws(DonationError) {
        let version = try sqlite { () throws(SQLiteError) in
            try connection.begin(writes ? .immediate : .deferred)
            return try connection.rows("PRAGMA data_version").first?.first?.int64 ?? 0
        }
        if version != dataVersion { forgetTallies() }
        dataVersion = version
    }

    /// Carries out one order; what it throws undoes it alone, unless the transaction is gone.
    private func carryOut(_ order: Order) throws(DonationError) -> @Sendable () -> Void {
        let (mark, keys) = (images.mark, objectKeys)
        try sqlite { () throws(SQLiteError) in try connection.beginSavepoint() }
        do throws(DonationError) {
            let finish = try order.work(self)
            try sqlite { () throws(SQLiteError) in try connection.releaseSavepoint() }
            return finish
        } catch {
            guard connection.isInTransaction, !Self.isFatal(error) else { throw error }
            connection.rollbackToSavepoint()
            forgetTallies()
            images.undo(to: mark)
            objectKeys = keys
            return { order.failed(error) }
        }
    }

    private func commit(writes: Bool) throws(DonationError) {
        if writes { try step(.beforeCommit) }
        do throws(SQLiteError) {
            try connection.commit()
        } catch {
            // Whether the log reached the disk is open; nothing more may build on it.
            if error.code == 10 {
                failure = DonationError(.broken, "a commit failed: \(error.message)")
            }
            throw DonationError(error)
        }
        if writes { try step(.afterCommit) }
    }

    /// Does what had to wait for the commit.
    private func tidyUp() {
        do throws(DonationError) {
            try images.removeDropped()
        } catch {
            failure = error.code == .broken ? error : failure
        }
        // Failing here costs room and nothing else.
        guard cleansAfterwards || isClosing else { return }
        cleanAll()
        _ = try? connection.checkpoint(.truncate)
        cleansAfterwards = false
    }

    /// Tells the hook of a step; a hook that throws ends the store's life there.
    func step(_ step: StoreStep) throws(DonationError) {
        do {
            try configuration.hook?(step)
        } catch {
            let broken = DonationError(.broken, "the store was cut off")
            failure = broken
            throw broken
        }
    }

    // MARK: Counting

    /// How many rows of a kind there are.
    func tally(_ kind: DonationKind) throws(DonationError) -> Int {
        if let known = tallies[kind] { return known }
        let count = Int(
            DonationKind.donations.contains(kind)
                ? try number("SELECT count(*) FROM \(kind.table)")
                : try number("SELECT count(*) FROM lists WHERE kind = ?", .text(kind.rawValue)))
        tallies[kind] = count
        return count
    }

    /// Notes that rows came or went.
    func count(_ kind: DonationKind, _ change: Int) {
        if let known = tallies[kind] { tallies[kind] = known + change }
    }

    private func forgetTallies() {
        tallies = [:]
        pieceNumbers = [:]
    }

    /// The next number of a counter.
    func next(_ counter: String) throws(DonationError) -> Int64 {
        try number(
            "INSERT INTO counters VALUES (?, 1)"
                + " ON CONFLICT(name) DO UPDATE SET value = value + 1 RETURNING value",
            .text(counter))
    }
}
