private import FoundationEssentials
private import Glibc

/// A process, told apart from a later one with the same number.
package struct ProcessIdentity: Sendable, Hashable {
    package let host: String
    /// Changes with every start of the machine.
    package let boot: String
    package let pid: Int32
    /// When the process started, in the kernel's ticks.
    package let startTicks: Int64

    package init(host: String, boot: String, pid: Int32, startTicks: Int64) {
        self.host = host
        self.boot = boot
        self.pid = pid
        self.startTicks = startTicks
    }

    /// This process.
    package static func current() -> ProcessIdentity {
        let pid = getpid()
        return ProcessIdentity(
            host: line(of: "/proc/sys/kernel/hostname") ?? "unknown",
            boot: line(of: "/proc/sys/kernel/random/boot_id") ?? "unknown", pid: pid,
            startTicks: startTicks(of: pid) ?? 0)
    }

    /// Whether the process still runs, as far as can be told from here: one on another host is
    /// taken to run.
    package func seemsAlive() -> Bool {
        let here = Self.current()
        guard host == here.host else { return true }
        guard boot == here.boot else { return false }
        return Self.startTicks(of: pid) == startTicks && !Self.hasEnded(pid)
    }

    /// Whether all that is left of a process is that its parent has not asked for its end.
    ///
    /// A process of several threads may begin to look like that while some still run.
    private static func hasEnded(_ pid: Int32) -> Bool {
        let tasks = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
        return (tasks ?? []).allSatisfy { task in
            let state = fields(of: "\(pid)/task/\(task)")?.first ?? "X"
            return state == "Z" || state == "X"
        }
    }

    /// Field 22 of `/proc/PID/stat`; nil when there is no such process.
    private static func startTicks(of pid: Int32) -> Int64? {
        guard let fields = fields(of: "\(pid)"), fields.count > 19 else { return nil }
        return Int64(fields[19])
    }

    /// The fields of a process's or a thread's `stat` from the third on.
    private static func fields(of place: String) -> [Substring]? {
        guard let text = line(of: "/proc/\(place)/stat"),
            // The second field is the command's name in parentheses and may hold anything.
            let afterName = text.lastIndex(of: ")")
        else { return nil }
        return text[text.index(after: afterName)...].split(separator: " ")
    }

    private static func line(of path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return String(decoding: data, as: UTF8.self)
            .split(separator: "\n").first.map(String.init)
    }
}
