import CommandLine
import MockStore

/// Runs a program once under each of several files of faults, each time against a new server.
struct FaultMatrix {
    private let trials: [(file: FaultFile, trial: ExecRun)]
    private let console: Console

    /// - Parameter trial: What all runs have in common.
    init(of trial: ExecRun) throws(CommandFailure) {
        let arguments = trial.arguments
        console = trial.console
        let files = try FaultFile.read(
            arguments.texts(ServeOptions.faultFile), console.environment.files)
        guard !files.isEmpty else {
            throw CommandFailure(.usage, "--matrix needs --faults FILE")
        }
        guard trial.configuration.storage == .memory else {
            throw CommandFailure(
                .usage, "--matrix starts a new server for each file and excludes --store DIR")
        }
        if arguments.has(ExecCommand.keepOnFail) { try FaultFile.requireNames(of: files) }
        var trials: [(file: FaultFile, trial: ExecRun)] = []
        for file in files { trials.append((file, try trial.under(file))) }
        self.trials = trials
    }

    /// Shows a table of how the runs ended, of those too that there were before one could not be had.
    ///
    /// - Returns: The status of the first run that failed. A signal ends the run that it meets, and there are
    ///   no others; nobody knows how they would have ended, so that the status is the signal's at least.
    func run() async throws(CommandFailure) -> Int32 {
        var ended: [(file: FaultFile, outcome: ExecRun.Outcome)] = []
        defer { if !ended.isEmpty { console.result(text(ended)) } }
        for (file, trial) in trials {
            let outcome = try await trial.run()
            ended.append((file, outcome))
            console.event(
                Event(
                    "matrix",
                    [
                        .init("faults", file.path), .init("status", Int(outcome.code)),
                        .init("fired", outcome.fired),
                    ]))
            if outcome.signal != nil { break }
        }
        let failed = ended.map(\.outcome.code).first { $0 != 0 }
        return failed ?? ended.last?.outcome.signal.map { 128 + $0 } ?? 0
    }

    private func text(_ ended: [(file: FaultFile, outcome: ExecRun.Outcome)]) -> String {
        var table = TextTable()
        table.add(["faults", "status", "fired"].map { .init($0, .faint) })
        for (file, outcome) in ended {
            table.add([.init(file.path), .number(Int(outcome.code)), .number(outcome.fired)])
        }
        return table.lines(console.style).joined(separator: "\n")
    }
}
