import Basics
import Foundation

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

    mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    /// A number whose logarithm is uniform.
    mutating func logUniform(_ low: Double, _ high: Double) -> Double {
        exp(log(low) + generator.unit() * (log(high) - log(low)))
    }

    mutating func uuid() -> String { generator.uuid() }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }

    /// A generator of its own, so that what draws from it moves nobody else's choices.
    mutating func fork() -> SimRandom { SimRandom(seed: generator.next()) }
}
