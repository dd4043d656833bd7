import Foundation
package import PostgreSQL
import ToolRunner

/// Why there is no cluster.
package struct ClusterFailure: Error, CustomStringConvertible {
    package let description: String
}

/// A PostgreSQL server of a test's own: in a folder of its own, reached by its socket alone.
///
/// It ends with this process, however that ends: a shell that holds the other end of a pipe stops it and
/// removes the folder. The shell has a session of its own, so that nobody kills it along with a test.
package final class Cluster: Sendable {
    /// Whether commits wait for the disk, as they must where something is killed.
    package enum Durability: Sendable {
        case off
        case on
    }

    /// The superuser, and the owner of everything.
    package static let user = "cksweep"

    /// Also where the socket is.
    package let folder: String
    private let keeper: ChildProcess
    private let lifeline: FileHandle

    /// Why there can be none here, in words for people; nil: there can be.
    package static var obstacle: String? {
        binaries == nil
            ? "PostgreSQL's server programs are not installed (apt-get install postgresql)" : nil
    }

    /// Where Debian has the programs of the newest version, or nil.
    private static let binaries: String? = {
        let base = "/usr/lib/postgresql"
        let versions =
            (try? FileManager.default.contentsOfDirectory(atPath: base))?.compactMap { Int($0) }
            ?? []
        return versions.sorted(by: >).map { "\(base)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: "\($0)/postgres") }
    }()

    /// Makes a cluster and waits until it is ready.
    package init(_ durability: Durability) throws {
        guard let binaries = Self.binaries else {
            throw ClusterFailure(description: Self.obstacle ?? "")
        }
        // A socket's path has 107 bytes at most.
        var template = Array("/tmp/pg.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ClusterFailure(description: "no folder could be made in /tmp")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // PostgreSQL refuses to run as root.
        if getuid() == 0 {
            chown(folder, 65534, 65534)
            chmod(folder, 0o711)
        }
        // What a commit does not wait for is lost when the server is killed, every time.
        let slow = "wal_writer_delay = 10s\n"
        let quick = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"
        let settings = """
            listen_addresses = ''
            unix_socket_directories = '\(folder)'
            unix_socket_permissions = 0700
            max_connections = 60
            autovacuum_naptime = 1s
            \(durability == .off ? quick : slow)
            """
        let input = Pipe()
        let output = ChildOutput(secondsMax: 120)
        keeper = try ChildProcess(
            "setsid", ["/bin/sh", "-c", Self.script, "cluster", binaries, folder, settings],
            variables: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"],
            streams: [input.fileHandleForReading.fileDescriptor, output.stream, -1])
        try output.started()
        try input.fileHandleForReading.close()
        lifeline = input.fileHandleForWriting
        guard fcntl(lifeline.fileDescriptor, F_SETFD, FD_CLOEXEC) == 0,
            try output.line() == "ready"
        else {
            throw ClusterFailure(
                description: "the cluster did not start: \((try? log()) ?? "no log")")
        }
    }

    /// Waits for the end of its input, and then stops what is still there.
    private static let script = #"""
        bin=$1 dir=$2
        as() { if [ "$(id -u)" = 0 ]; then
            setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
        cd "$dir" || exit 1
        as "$bin/initdb" -D "$dir/data" -U cksweep -A trust -E UTF8 --locale=C.UTF-8 \
            --no-sync --no-instructions >"$dir/init.log" 2>&1 &&
            printf '%s\n' "$3" >>"$dir/data/postgresql.conf" &&
            as "$bin/pg_ctl" -D "$dir/data" -w -t 60 -l "$dir/data/log" start \
                >/dev/null 2>&1 </dev/null && echo ready
        cat >/dev/null
        # A test that is killed while its server starts again leaves one that comes up later.
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            as "$bin/pg_ctl" -D "$dir/data" -m immediate -w -t 30 stop >/dev/null 2>&1
            rm -rf "$dir" 2>/dev/null && break
            sleep 1
        done
        """#

    /// Stops the server and removes its folder.
    package func stop() throws {
        try lifeline.close()
        keeper.wait()
    }

    /// What the server has written down.
    package func log() throws -> String {
        try String(contentsOfFile: "\(folder)/data/log", encoding: .utf8)
    }

    /// Settings for a database of this cluster.
    package func settings(_ database: String, name: String = "test") -> ConnectionSettings {
        ConnectionSettings(
            .socket(folder: folder), database: database, user: Self.user, name: name)
    }

    /// Makes an empty database.
    package func makeDatabase(_ name: String) async throws -> ConnectionSettings {
        let admin = Connection(settings("postgres"))
        // CREATE DATABASE must be alone; each call of a pipeline with one statement is.
        _ = try await admin.run("CREATE DATABASE \(name) TEMPLATE template0")
        await admin.close()
        return settings(name)
    }

    /// Everything in a database, as `pg_dump` writes it.
    package func dump(_ database: String) throws -> [UInt8] {
        let ended = try Tool.run(
            "\(Self.binaries ?? "")/pg_dump", ["-h", folder, "-U", Self.user, database])
        guard ended.status == 0 else {
            throw ClusterFailure(description: "pg_dump ended with \(ended.status)")
        }
        return ended.output
    }

    /// Kills the server and all that belongs to it, as a power cut does, and starts it again.
    package func crash() throws {
        let file = try String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
        guard let line = file.split(separator: "\n").first, let postmaster = Int32(line) else {
            throw ClusterFailure(description: "the server's process is not known")
        }
        kill(postmaster, SIGKILL)
        // Until its last process has gone, another server is refused the shared memory.
        let script = #"""
            as() { if [ "$(id -u)" = 0 ]; then
                setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
            cd "$2" || exit 1
            for _ in $(seq 300); do
                as "$1/pg_ctl" -D "$2/data" -w -t 60 -l "$2/data/log" start \
                    >/dev/null 2>&1 </dev/null && exit 0
                sleep 0.1
            done
            exit 1
            """#
        let ended = try Tool.run("/bin/sh", ["-c", script, "crash", Self.binaries ?? "", folder])
        guard ended.status == 0 else {
            throw ClusterFailure(description: "it did not start again: \(try log())")
        }
    }
}
