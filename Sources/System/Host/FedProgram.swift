private import AsyncOperations
import FileSystem
private import Glibc

/// A program that is run to its end with something on its standard input, and what it prints.
///
/// It is the leader of a process group of its own, which ends with it: what it started and left behind is
/// killed. Nothing of this process but the three streams is open in it.
@safe struct FedProgram: ~Copyable {
    private let child: pid_t
    private let output: Pipe
    private let reader: DedicatedThread
    private let printed: Locked<Printed>

    private struct Printed {
        var bytes: [UInt8] = []
        var hasEnded = false
    }

    /// Bytes that fit into a pipe, so that writing them waits for nobody.
    static let inputBytesMax = 32 << 10

    /// Starts a program by its path.
    ///
    /// - Parameters:
    ///   - input: At most ``inputBytesMax`` bytes.
    ///   - outputBytesMax: What it prints beyond that is read and thrown away.
    init(
        _ arguments: [String], variables: [String: String], input: [UInt8], outputBytesMax: Int
    ) throws(FileError) {
        precondition(input.count <= Self.inputBytesMax, "more than a pipe holds")
        let name = arguments.first ?? ""
        let output = try Pipe(for: name)
        do throws(FileError) {
            let fed = try Pipe(for: name)
            defer { fed.close() }
            try fed.write(input, for: name)
            child = try Self.spawn(arguments, variables, fed.reading, output.writing)
        } catch {
            output.close()
            throw error
        }
        self.output = output
        let printed = Locked(Printed())
        self.printed = printed
        let descriptor = output.reading
        reader = DedicatedThread(label: "hook-output") {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                    unsafe read(descriptor, bytes.baseAddress, bytes.count)
                }
                if count < 0, errno == EINTR { continue }
                let isOver = printed.withLock { printed in
                    var chunk = buffer.prefix(max(0, count))
                    // Once the program has ended, the first zero is the byte that wakes us.
                    let end = printed.hasEnded ? chunk.firstIndex(of: 0) : nil
                    if let end { chunk = chunk.prefix(upTo: end) }
                    printed.bytes += chunk.prefix(max(0, outputBytesMax - printed.bytes.count))
                    return count <= 0 || end != nil
                }
                if isOver { return }
            }
        }
    }

    var id: Int32 { child }

    /// Sends a signal to the program and to all of its group.
    static func send(_ signal: Int32, to child: Int32) { kill(-child, signal) }

    /// Ends what the program has left behind, once it has ended itself.
    ///
    /// - Returns: what it printed.
    consuming func finish() -> [UInt8] {
        kill(-child, SIGKILL)
        printed.withLock { $0.hasEnded = true }
        // A byte of our own wakes the reader: a program that got away with the other end of the pipe
        // keeps nobody.
        output.wake()
        reader.join()
        output.close()
        return printed.withLock { Array($0.bytes) }
    }

    private static func spawn(
        _ arguments: [String], _ variables: [String: String], _ input: Int32, _ output: Int32
    ) throws(FileError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (from, to) in [(input, Int32(0)), (output, 1), (output, 2)] {
            unsafe posix_spawn_file_actions_adddup2(&actions, from, to)
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        unsafe posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words = CStrings(arguments)
        let environment = CStrings(variables.map { "\($0.key)=\($0.value)" }.sorted())
        guard let program = unsafe words.pointers[0] else {
            throw FileError("", "no program is named")
        }
        var child: pid_t = 0
        let code = unsafe posix_spawn(
            &child, program, &actions, &attributes, words.pointers, environment.pointers)
        guard code == 0 else {
            throw FileError(arguments.first ?? "", "cannot be started", code)
        }
        return child
    }
}
