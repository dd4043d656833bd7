/// How a program ended that was run with something on its standard input.
package struct ProgramEnd: Sendable, Hashable {
    /// Between the question to end and the kill.
    package static let grace: Duration = .seconds(5)

    /// The exit status; 128 and the signal's number when one ended it.
    package let status: Int32
    /// What it printed, up to the bound.
    package let output: [UInt8]
    /// Whether it was ended because its time was over.
    package let isOutOfTime: Bool

    package init(status: Int32, output: [UInt8], isOutOfTime: Bool) {
        self.status = status
        self.output = output
        self.isOutOfTime = isOutOfTime
    }
}
