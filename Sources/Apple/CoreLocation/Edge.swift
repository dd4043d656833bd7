internal import Foundation

/// The machine's clock, for the one initializer of Apple's that takes no time.
enum Edge {
    /// The moment.
    static var now: Date { Date() }
}
