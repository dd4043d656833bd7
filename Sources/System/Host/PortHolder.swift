private import FileSystem
private import FoundationEssentials

/// A program that listens on a port of this machine, as far as `/proc` tells this user.
package struct PortHolder: Sendable, Hashable {
    package let pid: Int32
    /// Its name as the kernel keeps it: at most 15 characters.
    package let program: String

    /// The program that listens on a port, the oldest if several have the same socket; nil if no program
    /// listens, or only another user's.
    ///
    /// - Parameter system: The folder `/proc`, or one in its place.
    package static func find(port: UInt16, in system: String = "/proc") -> PortHolder? {
        let files = Files(workingFolder: system)
        // Foundation reads a file that has no size, as all of these, only as far as one page.
        func text(_ path: String) -> String {
            String(decoding: (try? files.read(path)) ?? [], as: UTF8.self)
        }
        // A kernel without IPv6 has no second table.
        let sockets = Self.sockets(listeningOn: port, in: text("net/tcp"))
            .union(Self.sockets(listeningOn: port, in: text("net/tcp6")))
        guard !sockets.isEmpty else { return nil }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: system)) ?? []
        let pids = names.compactMap { Int32($0) }.filter { pid in
            // Not readable: another user's process, or one that has just ended.
            let folder = "\(system)/\(pid)/fd"
            let open = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return open.contains { file in
                let link = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "\(folder)/\(file)")
                return link.map { sockets.contains($0) } ?? false
            }
        }
        // A program's children have its sockets too, at least until they start another program.
        let oldest = pids.map { (Self.startTime(text("\($0)/stat")), $0) }.min(by: <)
        guard let (_, pid) = oldest else { return nil }
        return PortHolder(pid: pid, program: String(text("\(pid)/comm").prefix { $0 != "\n" }))
    }

    /// When a process started, in ticks since the system started, by its `stat`; a process that has ended comes last.
    private static func startTime(_ stat: String) -> UInt64 {
        // The name of the program, in parentheses, may contain any character.
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 19 ? UInt64(fields[19]) ?? .max : .max
    }

    /// What links to sockets look like that listen on a port, by a table of `/proc/net`.
    package static func sockets(listeningOn port: UInt16, in table: String) -> Set<String> {
        let listening = "0A"
        let sockets = table.split(separator: "\n").dropFirst().compactMap { line -> String? in
            let fields = line.split(separator: " ")
            guard fields.count > 9, fields[3] == listening,
                let local = fields[1].split(separator: ":").last, UInt16(local, radix: 16) == port
            else { return nil }
            return "socket:[\(fields[9])]"
        }
        return Set(sockets)
    }
}
