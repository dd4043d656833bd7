/// How long a courier is left alone that cannot be asked, or that has nothing as soon as it is asked: longer each
/// time.
struct CourierBackOff {
    private static let shortest: Duration = .seconds(1)
    private static let longest: Duration = .seconds(300)
    private var wait = shortest

    mutating func next() -> Duration {
        defer { wait = min(wait * 2, Self.longest) }
        return wait
    }

    mutating func reset() { self = CourierBackOff() }
}
