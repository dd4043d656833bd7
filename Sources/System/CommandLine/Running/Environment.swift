package import Basics
package import FileSystem
package import Host

/// Everything a verb may touch of the world. Nothing prints, reads or exits but through this.
package struct Environment: Sendable {
    /// The program that runs.
    package let program: Program
    /// Results.
    package var output: any TextSink
    /// Everything else: progress, notes, errors.
    package var errors: any TextSink
    package var input: any LineInput
    package var variables: [String: String]
    package var files: Files
    package var terminal: Terminal
    package var signals: any Signals
    package var wallClock: WallClock
    /// Times waits.
    package var clock: any Clock<Duration>
    /// A number that is new each time.
    package var freshSeed: @Sendable () -> UInt64
    package var processes: any Processes
    /// New for each verb.
    package var outlet = Outlet()

    package init(
        program: Program, output: any TextSink, errors: any TextSink, input: any LineInput,
        variables: [String: String], files: Files, terminal: Terminal, signals: any Signals,
        wallClock: WallClock, clock: any Clock<Duration>,
        freshSeed: @escaping @Sendable () -> UInt64, processes: any Processes
    ) {
        self.program = program
        self.output = output
        self.errors = errors
        self.input = input
        self.variables = variables
        self.files = files
        self.terminal = terminal
        self.signals = signals
        self.wallClock = wallClock
        self.clock = clock
        self.freshSeed = freshSeed
        self.processes = processes
    }

    /// A variable's value; nil when it is unset or empty.
    package func variable(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The folder that the program keeps its state in: `--state`, else one of the program's name in
    /// `$XDG_STATE_HOME`, else one in `~/.local/state`.
    ///
    /// - Parameter isRehearsal: Rehearsals keep theirs apart, in a folder of it.
    package func stateFolder(_ given: String?, isRehearsal: Bool = false) -> String {
        stateBase(given) + (isRehearsal ? "/rehearsal" : "")
    }

    private func stateBase(_ given: String?) -> String {
        if let given { return files.absolute(given) }
        let name = program.name
        if let base = variable("XDG_STATE_HOME"), base.hasPrefix("/") { return "\(base)/\(name)" }
        return "\(variable("HOME") ?? files.workingFolder)/.local/state/\(name)"
    }
}
