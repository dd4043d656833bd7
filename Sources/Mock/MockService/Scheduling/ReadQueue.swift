package import HTTPServer
package import MockStore

/// Jobs that only read. They take turns, one slice of one of them in each, so that others wait for a slice
/// and no more, however many jobs there are.
///
/// Each belongs to an open exchange, so there are no more of them than the loop has of those.
package struct ReadQueue<Exchange> {
    package struct Reading {
        package let exchange: Exchange
        package let job: any StoreJob
        let answer: () -> HTTPResponse

        package init(
            _ exchange: Exchange, _ job: any StoreJob,
            _ answer: @escaping () -> HTTPResponse
        ) {
            self.exchange = exchange
            self.job = job
            self.answer = answer
        }
    }

    private var waiting: ArraySlice<Reading> = []

    package init() {}

    package var isEmpty: Bool { waiting.isEmpty }

    package mutating func add(_ reading: Reading) { waiting.append(reading) }

    /// Removes and returns the next job; those whose clients have disconnected are dropped.
    package mutating func next(where isListening: (Exchange) -> Bool) -> Reading? {
        waiting.removeAll { !isListening($0.exchange) }
        return waiting.popFirst()
    }
}
