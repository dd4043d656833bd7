package import HTTPServer

/// The clients of the event stream.
package struct FeedListeners {
    /// The maximum number for one namespace.
    package static let countMax = 16
    /// How long nothing may be sent. Our choice: proxies mostly wait for a minute.
    private static let beatPause: Duration = .seconds(15)

    private struct Place {
        let exchange: ExchangeID
        /// Its response owns it, until the client disconnects.
        weak let listener: FeedListener?
    }

    private var places: [Place] = []
    private var isBeating = false

    /// How many there are.
    package var count: Int { places.count { $0.listener != nil } }
    /// Whether there is room for one more.
    package var hasRoom: Bool { count < Self.countMax }

    /// Adds a client.
    mutating func add(
        _ listener: FeedListener, _ exchange: ExchangeID, _ observers: ExchangeObservers,
        _ loop: HTTPLoop
    ) {
        places.removeAll { $0.listener == nil }
        places.append(Place(exchange: exchange, listener: listener))
        guard !isBeating else { return }
        isBeating = true
        Self.scheduleBeat(observers, loop)
    }

    /// Sends what has come since.
    package func wake(_ loop: HTTPLoop, newest: Int) {
        for place in places {
            guard let listener = place.listener, listener.isWaiting, listener.place < newest else {
                continue
            }
            loop.resumeBody(of: place.exchange)
        }
    }

    private static func scheduleBeat(_ observers: ExchangeObservers, _ loop: HTTPLoop) {
        loop.schedule(after: beatPause) { [weak observers] loop in
            guard let observers else { return }
            if observers.listeners.beat(loop) { scheduleBeat(observers, loop) }
        }
    }

    /// Sends something to clients that received nothing for a while.
    private mutating func beat(_ loop: HTTPLoop) -> Bool {
        places.removeAll { $0.listener == nil }
        for place in places {
            guard let listener = place.listener, listener.isWaiting else { continue }
            listener.owesBeat = true
            loop.resumeBody(of: place.exchange)
        }
        isBeating = !places.isEmpty
        return isBeating
    }
}
