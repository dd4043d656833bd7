private import CShims
private import Glibc

/// What stands at the three standard streams.
package struct Terminal: Sendable {
    package var inputIsTerminal: Bool
    package var outputIsTerminal: Bool
    package var errorsIsTerminal: Bool
    /// Columns of the terminal at standard error, asked anew each time; nil when it is none.
    package var width: @Sendable () -> Int?

    package init(
        inputIsTerminal: Bool, outputIsTerminal: Bool, errorsIsTerminal: Bool,
        width: @escaping @Sendable () -> Int? = { nil }
    ) {
        self.inputIsTerminal = inputIsTerminal
        self.outputIsTerminal = outputIsTerminal
        self.errorsIsTerminal = errorsIsTerminal
        self.width = width
    }

    /// The terminal of this process.
    package static func ofThisProcess() -> Terminal {
        Terminal(
            inputIsTerminal: isatty(0) == 1, outputIsTerminal: isatty(1) == 1,
            errorsIsTerminal: isatty(2) == 1,
            width: {
                let columns = Int(cksweep_terminal_width(2))
                return columns > 0 ? columns : nil
            })
    }
}
