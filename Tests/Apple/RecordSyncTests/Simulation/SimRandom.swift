import Basics

/// The random choices of a simulated run: the same for the same seed.
struct SimRandom {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 0x51_7CC1) }

    mutating func next() -> UInt64 { generator.next() }
    mutating func below(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }
    mutating func chance(_ probability: Double) -> Bool {
        probability > 0 && generator.unit() < probability
    }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
}

/// What broke, and what it was that broke it.
struct Breach: Error, CustomStringConvertible {
    let rule: String
    let what: String
    var description: String { "\(rule): \(what)" }
    init(_ rule: String, _ what: String) { (self.rule, self.what) = (rule, what) }
}
