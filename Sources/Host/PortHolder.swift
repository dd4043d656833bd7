private import FileSystem
private import FoundationEssentials

/// A program that listens on a port of this machine, as far as `/proc` tells this user.
package struct PortHolder: Sendable, Hashable {
    package let pid: Int32
    /// Its name as the kernel keeps it: at most 15 characters.
    package let program: String

    /// The first program that is seen to listen on a port; nil where none is, or another user's has it.
    ///
    /// - Parameter system: What stands for `/proc`.
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
        for pid in names.compactMap({ Int32($0) }).sorted() {
            // Not readable: another user's process, or one that has just ended.
            let folder = "\(system)/\(pid)/fd"
            let open = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let holds = open.contains { file in
                let link = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "\(folder)/\(file)")
                return link.map { sockets.contains($0) } ?? false
            }
            guard holds else { continue }
            return PortHolder(
                pid: pid, program: String(text("\(pid)/comm").prefix { $0 != "\n" }))
        }
        return nil
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
