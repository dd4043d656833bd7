import AsyncOperations

/// Carries out orders one after the other, on a thread of its own; those that wait together share
/// one commit.
final class StoreThread: Sendable {
    /// The core, on its way from the thread that opened it to the one that uses it.
    ///
    /// Unchecked: nobody but the store's thread touches the core after it was opened.
    private final class Handover: @unchecked Sendable {
        let core: StoreCore
        init(_ core: StoreCore) { self.core = core }
    }

    /// Orders that share one commit at most.
    private static let ordersMax = 4096

    private let mailbox = Mailbox<Order>()
    private let isClosed = Locked(false)
    private let thread: DedicatedThread

    init(_ configuration: DonationConfiguration) throws(DonationError) {
        let handover = Handover(try StoreCore(configuration))
        let mailbox = mailbox
        thread = DedicatedThread(label: "donations") {
            while let orders = mailbox.nextAll() {
                var rest = orders[...]
                while !rest.isEmpty {
                    handover.core.carryOut(rest.prefix(Self.ordersMax))
                    rest = rest.dropFirst(Self.ordersMax)
                }
                while mailbox.isIdle, handover.core.cleanWhileIdle() {}
            }
        }
    }

    deinit { mailbox.close() }

    /// Takes an order; the order of calls is the order of effects.
    ///
    /// - Parameter isLast: None is taken after it.
    func post(_ order: Order, isLast: Bool = false) {
        let isTaken = isClosed.withLock { isClosed in
            defer { isClosed = isClosed || isLast }
            if !isClosed { mailbox.post(order) }
            return !isClosed
        }
        guard isTaken else {
            return order.failed(DonationError(.closed, "the donation store was closed"))
        }
        if isLast { mailbox.close() }
    }

    /// Waits until the thread has ended, which it does after its last order.
    func join() { thread.join() }
}
