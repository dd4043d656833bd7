private import FoundationEssentials
private import Glibc

/// A process, told apart from a later one with the same number.
package struct ProcessIdentity: Sendable, Hashable {
    package let host: String
    /// Changes with every start of the machine.
    package let boot: String
    /// Where process numbers count: `pid:[4026531836]`; empty when it cannot be told.
    package let namespace: String
    package let pid: Int32
    /// When the process started, in the kernel's ticks.
    package let startTicks: Int64

    package init(
        host: String, boot: String, namespace: String = "", pid: Int32, startTicks: Int64
    ) {
        self.host = host
        self.boot = boot
        self.namespace = namespace
        self.pid = pid
        self.startTicks = startTicks
    }

    /// What stands for a fact that the system hides, as it may in a container or service.
    private static let hidden = "unknown"

    /// This process.
    package static func current() -> ProcessIdentity {
        let pid = getpid()
        return ProcessIdentity(
            host: ProcessInfo.processInfo.hostName,
            boot: line(of: "/proc/sys/kernel/random/boot_id") ?? hidden,
            namespace: ownNamespace(), pid: pid, startTicks: startTicks(of: pid) ?? 0)
    }

    private static func ownNamespace() -> String {
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
        } catch {
            return ""
        }
    }

    /// Where a process is, seen from another one.
    package enum Nearness: Sendable {
        /// Its number can be asked for.
        case sameProcesses
        /// On the same machine, as far as can be told, but its number says nothing.
        case sameMachine
        /// It ran before the machine was started.
        case earlierBoot
        case elsewhere
    }

    package func nearness(to here: ProcessIdentity) -> Nearness {
        let isBootKnown = boot != Self.hidden && here.boot != Self.hidden
        // Containers have names of their own on one machine.
        if boot == here.boot, isBootKnown || host == here.host {
            return namespace == here.namespace ? .sameProcesses : .sameMachine
        }
        guard host == here.host else { return .elsewhere }
        return isBootKnown ? .earlierBoot : .sameMachine
    }

    /// Whether the process still runs, as far as can be told from here: one that cannot be asked
    /// for is taken to run.
    package func seemsAlive() -> Bool {
        switch nearness(to: Self.current()) {
        case .elsewhere, .sameMachine: return true
        case .earlierBoot: return false
        case .sameProcesses: break
        }
        // Asking by number works whatever `/proc` shows or hides.
        guard kill(pid, 0) == 0 || errno == EPERM else { return false }
        guard startTicks > 0, let ticks = Self.startTicks(of: pid) else { return true }
        return ticks == startTicks && !Self.hasEnded(pid)
    }

    /// Whether all that is left of a process is that its parent has not asked for its end; false
    /// where that cannot be told.
    ///
    /// A process of several threads may begin to look like that while some still run.
    private static func hasEnded(_ pid: Int32) -> Bool {
        let tasks: [String]
        do {
            tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
        } catch {
            return false
        }
        return tasks.allSatisfy { task in
            // A thread that was listed and is not there any more has ended.
            let state = fields(of: "\(pid)/task/\(task)")?.first ?? "X"
            return state == "Z" || state == "X"
        }
    }

    /// Field 22 of `/proc/PID/stat`; nil when it cannot be read.
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
