import CommandLine
import CommandWorld
import MockCommands

extension TestWorld {
    /// A world for command lines of `cloudkit-mock`.
    convenience init() throws { try self.init(of: .cloudkitMock) }
}
