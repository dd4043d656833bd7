import FileSystem
private import Glibc
import MockFaults

/// What the process has of the machine's memory.
enum ProcessMemory {
    /// In bytes; nil: the system does not report it.
    static func resident() -> Int? {
        do {
            let bytes = try Files(workingFolder: "/").read("/proc/self/statm", bytesMax: 4096)
            let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ")
            guard parts.count > 1, let pages = Int(parts[1]) else { return nil }
            return pages * Int(getpagesize())
        } catch {
            return nil
        }
    }
}
