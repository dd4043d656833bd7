import AsyncOperations
private import CCurl

/// Where tasks leave what the curl thread is to do.
@safe final class TransferInbox: Sendable {
    typealias Outcome = Result<HTTPClientResponse, HTTPClientError>
    typealias Reply = CheckedContinuation<Outcome, Never>

    /// One thing to do.
    enum Order: Sendable {
        case send(number: UInt64, HTTPClientRequest, RequestURL, Reply)
        case cancel(number: UInt64)
    }

    private struct State {
        var orders: [Order] = []
        var lastNumber: UInt64 = 0
        /// Why nothing more is taken; nil while it is open.
        var closedBecause: String?
    }

    private let state = Locked(State())
    /// Only woken under the lock while the inbox is open; the thread frees it after closing.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

    init(waking multi: UnsafeMutableRawPointer) { unsafe self.multi = unsafe multi }

    /// A number that no other request of this client has.
    func makeNumber() -> UInt64 {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// Leaves an order; nil, or why it was refused. Wakes the thread when the inbox was empty.
    func post(_ order: Order) -> HTTPClientError? {
        state.withLock { state in
            if let reason = state.closedBecause {
                return HTTPClientError(.shutDown, reason, mayHaveBeenCarriedOut: false)
            }
            // The cancellation handler runs after this flag is set, and needs the lock too.
            if case .send = order, Task.isCancelled { return .cancelledBeforeSending }
            state.orders.append(order)
            if state.orders.count == 1 { unsafe curl_multi_wakeup(multi) }
            return nil
        }
    }

    /// Lets the thread end after what was posted; the first reason counts.
    func close(because reason: String = "the HTTP client was shut down") {
        state.withLock { state in
            guard state.closedBecause == nil else { return }
            state.closedBecause = reason
            unsafe curl_multi_wakeup(multi)
        }
    }

    /// For the thread: what came since the last call, and whether nothing more will.
    func take() -> (orders: [Order], isClosed: Bool) {
        state.withLock { state in
            defer { state.orders = [] }
            return (state.orders, state.closedBecause != nil)
        }
    }
}

extension HTTPClientError {
    static let cancelledBeforeSending = HTTPClientError(
        .cancelled, "the request was cancelled before it was sent", mayHaveBeenCarriedOut: false)
}
