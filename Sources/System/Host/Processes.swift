private import AsyncOperations
private import CShims
package import FileSystem
private import Glibc

/// Other programs.
package protocol Processes: Sendable {
    /// The ID of this process.
    var ownID: Int32 { get }
    /// Whether this process may do everything.
    var isRoot: Bool { get }
    /// Starts a program found on PATH, with this process's standard streams.
    ///
    /// It and all that it starts end with this process, however that comes, and what it has started ends
    /// with it.
    func start(
        _ arguments: [String], variables: [String: String]
    ) throws(FileError) -> Int32
    /// Becomes another program: nothing of this one is left, and the other has its process, its streams and its
    /// signals.
    ///
    /// - Parameter arguments: The first is the program's file, or a name to be found on PATH.
    /// - Throws: That it cannot be started.
    func become(_ arguments: [String], variables: [String: String]) throws(FileError) -> Never
    /// Starts a program found on PATH in a session of its own, without our streams: it may outlive this
    /// process, and nobody waits for it.
    func startFree(_ arguments: [String], variables: [String: String]) throws(FileError)
    /// Runs a program by its path to its end, with `input` on its standard input.
    ///
    /// It and what it starts are asked to end (SIGTERM) when `time` is over, and killed
    /// ``ProgramEnd/grace`` later, or at once when the task is cancelled. Nothing of this process but the streams is open in it.
    ///
    /// - Parameters:
    ///   - input: At most 32 KiB.
    ///   - outputBytesMax: What it prints beyond that is thrown away.
    func run(
        _ arguments: [String], variables: [String: String], input: [UInt8], outputBytesMax: Int,
        within time: Duration, on clock: any Clock<Duration>
    ) async throws(FileError) -> ProgramEnd
    /// Starts this program itself once more, as one that sees a network of its own and some files in
    /// others' place.
    ///
    /// - Parameter mounts: Which file it is to see at which place.
    func startApart(
        _ arguments: [String], variables: [String: String],
        mounts: [(file: String, place: String)]
    ) throws(ApartError) -> Int32
    /// Waits for a child's exit status; 128 and the signal's number when one ended it.
    func wait(for child: Int32) async -> Int32
    func send(_ signal: Int32, to child: Int32)
}

/// The programs of this machine.
package struct SystemProcesses: Processes {
    /// What those under way are sent signals by.
    private static let controls = Locked<[Int32: Int32]>([:])

    package init() {}

    package var ownID: Int32 { getpid() }
    package var isRoot: Bool { geteuid() == 0 }

    /// The environment this process was started with; of a name that is there twice, the first.
    package static var variables: [String: String] {
        var variables: [String: String] = [:]
        var next = unsafe cksweep_environment()
        while let entry = unsafe next?.pointee {
            let words = unsafe String(cString: entry).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if words.count == 2, variables[String(words[0])] == nil {
                variables[String(words[0])] = String(words[1])
            }
            unsafe next = next?.successor()
        }
        return variables
    }

    package func start(
        _ arguments: [String], variables: [String: String]
    ) throws(FileError) -> Int32 {
        let lines = variables.map { "\($0.key)=\($0.value)" }.sorted()
        let argumentList = CStrings(arguments)
        let variableList = CStrings(lines)
        var control: Int32 = -1
        let child = unsafe cksweep_spawn_kept(
            argumentList.pointers, variableList.pointers, &control)
        guard child > 0 else {
            throw FileError(arguments.first ?? "", "cannot be started", -child)
        }
        Self.controls.withLock { $0[child] = control }
        return child
    }

    package func become(
        _ arguments: [String], variables: [String: String]
    ) throws(FileError) -> Never {
        let argumentList = CStrings(arguments)
        let variableList = CStrings(variables.map { "\($0.key)=\($0.value)" }.sorted())
        let code = unsafe cksweep_become(argumentList.pointers, variableList.pointers)
        throw FileError(arguments.first ?? "", "cannot be started", -code)
    }

    package func startFree(
        _ arguments: [String], variables: [String: String]
    ) throws(FileError) {
        let argumentList = CStrings(arguments)
        let variableList = CStrings(variables.map { "\($0.key)=\($0.value)" }.sorted())
        let child = unsafe cksweep_spawn_free(argumentList.pointers, variableList.pointers)
        guard child > 0 else {
            throw FileError(arguments.first ?? "", "cannot be started", -child)
        }
    }

    package func startApart(
        _ arguments: [String], variables: [String: String],
        mounts: [(file: String, place: String)]
    ) throws(ApartError) -> Int32 {
        let argumentList = CStrings(arguments)
        let variableList = CStrings(variables.map { "\($0.key)=\($0.value)" }.sorted())
        let mountList = CStrings(mounts.flatMap { [$0.file, $0.place] })
        var step: Int32 = 0
        let child = unsafe cksweep_spawn_apart(
            argumentList.pointers, variableList.pointers, mountList.pointers, &step)
        guard child > 0 else {
            throw ApartError(ApartError.Step(rawValue: step) ?? .process, -child)
        }
        return child
    }

    package func run(
        _ arguments: [String], variables: [String: String], input: [UInt8], outputBytesMax: Int,
        within time: Duration, on clock: any Clock<Duration>
    ) async throws(FileError) -> ProgramEnd {
        let program = try FedProgram(
            arguments, variables: variables, input: input, outputBytesMax: outputBytesMax)
        let child = program.id
        let watch = Stopwatch(clock)
        let timer = Task {
            do {
                try await watch.sleep(for: time)
                FedProgram.send(SIGTERM, to: child)
                try await watch.sleep(for: ProgramEnd.grace)
                FedProgram.send(SIGKILL, to: child)
            } catch {
                return  // it has ended before
            }
        }
        let status = await withTaskCancellationHandler {
            await wait(for: child)
        } onCancel: {
            FedProgram.send(SIGKILL, to: child)
        }
        let isOutOfTime = watch.elapsed >= time
        timer.cancel()
        return ProgramEnd(
            status: status, output: program.finish(), isOutOfTime: isOutOfTime)
    }

    package func wait(for child: Int32) async -> Int32 {
        await withCheckedContinuation { continuation in
            _ = DedicatedThread(label: "child") {
                let status = cksweep_wait_for_child(child)
                Self.controls.withLock { controls in
                    if let control = controls.removeValue(forKey: child) { close(control) }
                }
                continuation.resume(returning: status)
            }
        }
    }

    package func send(_ signal: Int32, to child: Int32) {
        // Under the lock: nobody else has its number meanwhile.
        Self.controls.withLock { controls in
            guard let control = controls[child] else {
                kill(child, signal)
                return
            }
            cksweep_signal_kept(control, signal)
        }
    }
}

/// Strings as C wants them: an array of pointers that ends with none.
@safe struct CStrings: ~Copyable {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ texts: [String]) {
        count = texts.count
        unsafe pointers = .allocate(capacity: texts.count + 1)
        for (index, text) in texts.enumerated() {
            unsafe (pointers + index).initialize(to: strdup(text))
        }
        unsafe (pointers + texts.count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { unsafe free(pointers[index]) }
        unsafe pointers.deallocate()
    }
}
