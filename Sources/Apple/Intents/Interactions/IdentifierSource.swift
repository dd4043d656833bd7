internal import Foundation

/// Makes identifiers for what the app gives none.
package enum IdentifierSource {
    /// What makes them in a task; nil: chance, the only place of this module where it comes in.
    @TaskLocal package static var scoped: (@Sendable () -> UUID)?

    /// An identifier that was never there before.
    package static func make() -> UUID {
        if let scoped { return scoped() }
        var chance = SystemRandomNumberGenerator()
        let (high, low) = (chance.next(), chance.next())
        func byte(_ index: Int) -> UInt8 {
            let word = index < 8 ? high : low
            return UInt8(truncatingIfNeeded: word >> UInt64(8 * (index % 8)))
        }
        return UUID(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5),
                byte(6) & 0x0F | 0x40, byte(7), byte(8) & 0x3F | 0x80, byte(9),
                byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
            ))
    }
}
