/// The open streams of a connection. Their numbers only grow, so that none has to be hashed.
struct HTTP2Streams {
    private var streams: [HTTP2Stream] = []

    var isEmpty: Bool { streams.isEmpty }

    /// The first to have begun of those that have more to receive.
    var oldestReceiving: HTTP2Stream? { streams.first(where: \.isReceiving) }

    subscript(id: Int32) -> HTTP2Stream? { place(of: id).map { streams[$0] } }

    /// Takes a stream whose number is greater than all others.
    mutating func append(_ stream: HTTP2Stream) { streams.append(stream) }

    mutating func remove(_ id: Int32) -> HTTP2Stream? {
        place(of: id).map { streams.remove(at: $0) }
    }

    private func place(of id: Int32) -> Int? {
        // Mostly the oldest is asked for.
        guard !streams.isEmpty else { return nil }
        if streams[0].id == id { return 0 }
        var (low, high) = (0, streams.count)
        while low < high {
            let middle = (low + high) / 2
            if streams[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < streams.count && streams[low].id == id ? low : nil
    }
}
