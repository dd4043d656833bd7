/// What each of many calls took: by the clock, and of the processor, which tells of the calls alone
/// when the machine does other work too.
struct Times {
    private var clock: [Double] = []
    private var processor: [Double] = []

    mutating func take(_ call: () async throws -> Void) async throws {
        let start = Bench.processorSeconds()
        clock.append(try await Bench.seconds(call))
        processor.append(Bench.processorSeconds() - start)
    }

    func tell() {
        for (name, values) in [("", clock), ("processor_", processor)] {
            let sorted = values.sorted()
            for (part, share) in [("p50", 0.5), ("p99", 0.99), ("max", 1)] {
                let place = min(sorted.count - 1, Int(Double(sorted.count) * share))
                Bench.tell("\(name)\(part)_ms", sorted[place] * 1000)
            }
        }
    }
}
