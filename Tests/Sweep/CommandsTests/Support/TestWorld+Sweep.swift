import CommandLine
import CommandWorld
import Commands

extension TestWorld {
    /// A world for command lines of `cksweep`.
    convenience init(at path: String? = nil, isTimePassing: Bool = false) throws {
        try self.init(of: .cksweep, at: path, isTimePassing: isTimePassing)
    }
}
