import AsyncOperations
import Basics
import CShims
private import Dispatch
import FileSystem
private import FoundationEssentials
private import Glibc
import Host

// The whole program: takes the world as it is, carries out one verb, and exits.
extension Program {
    /// Never returns.
    package func main() -> Never {
        cksweep_open_standard_streams()
        let arguments = CommandLine.arguments
        // The program's own name is one of them, so that none at all means that nobody could read them.
        guard !arguments.isEmpty else {
            DescriptorSink(2).write("\(name): cannot read arguments: is /proc mounted?\n")
            exit(ExitStatus.usage.rawValue)
        }
        let words = Array(arguments.dropFirst())
        if words == ["--version"] {
            DescriptorSink(1).write("\(name) \(version)\n")
            exit(0)
        }
        let signals = ProcessSignals.start()
        let output = DescriptorSink(1)
        let environment = system(signals, output)
        let done = DispatchSemaphore(value: 0)
        let status = Locked<Int32>(1)
        Task.detached {
            let result = await Dispatcher.run(words, in: environment)
            status.withLock { $0 = result.code }
            done.signal()
        }
        done.wait()
        signals.giveWayToEnd()
        var code = status.withLock { $0 }
        if let problem = output.problem {
            DescriptorSink(2).write("\(name): cannot write to standard output: \(problem)\n")
            if code == 0 { code = 1 }
        }
        exit(code)
    }

    /// The environment of this process.
    private func system(
        _ signals: ProcessSignals, _ output: DescriptorSink
    ) -> Environment {
        Environment(
            program: self, output: output, errors: DescriptorSink(2), input: DescriptorInput(0),
            variables: SystemProcesses.variables,
            files: Files(workingFolder: Files.currentFolder),
            terminal: .ofThisProcess(), signals: signals,
            wallClock: WallClock {
                Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
            },
            clock: ContinuousClock(), freshSeed: { UInt64.random(in: 0 ... .max) },
            processes: SystemProcesses())
    }
}
