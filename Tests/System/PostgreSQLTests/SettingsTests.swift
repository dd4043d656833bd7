import AsyncOperations
import Foundation
import PostgreSQL
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SettingsTests {
    @Test func `an address gives the server, TLS and the files`() throws {
        let remote = try ConnectionSettings(
            url: "postgresql://sweeper@db.example.org:5433/erasures"
                + "?sslrootcert=/etc/db.pem&passfile=/etc/db.pass&sslmode=verify-full")
        #expect(remote.server == .tls(host: "db.example.org", authorities: "/etc/db.pem"))
        #expect(remote.port == 5433)
        #expect(remote.database == "erasures")
        #expect(remote.user == "sweeper")
        #expect(remote.passwordFile == "/etc/db.pass")
        let local = try ConnectionSettings(url: "postgresql://a@/b?host=/run/postgresql")
        #expect(local.server == .socket(folder: "/run/postgresql"))
    }

    @Test(arguments: [
        "postgresql://a:secret@h/b?sslrootcert=/x", "postgresql://a@h/b",
        "postgresql://a@h/b?sslrootcert=/x&sslmode=require",
        "postgresql://a@h/b?sslrootcert=/x&sslmode=disable",
        "postgresql://a@h/b?sslrootcert=system", "postgresql://a@h,i/b?sslrootcert=/x",
        "postgresql://a@h:0/b?sslrootcert=/x", "postgresql://a@h:1,2/b?sslrootcert=/x",
        "postgresql://a@h/b?sslrootcert=/x&options=-c%20x", "postgresql://h/b?sslrootcert=/x",
        "postgresql://a@h?sslrootcert=/x", "postgresql:///b", "http://a@h/b", "",
        "postgresql://a@h/b?nonsense=secret", "host=h user=a dbname=b",
    ])
    func `an address that promises less is refused, without its words`(url: String) {
        let error = #expect(throws: PostgreSQLError.self) { try ConnectionSettings(url: url) }
        #expect(error?.code == .invalidSettings)
        #expect(error.map { "\($0)".contains("secret") } == false)
    }

    /// libpq would go to that address, or to the service's, in clear text.
    @Test(arguments: ["PGHOSTADDR", "PGSERVICE", "PGSERVICEFILE"])
    func `a variable that leads to another server is refused`(variable: String) async {
        await #expect(processExitsWith: .success) { [variable = variable as String] in
            setenv(variable, "127.0.0.1", 1)
            let settings = ConnectionSettings(
                .socket(folder: "/nonexistent"), database: "x", user: "x")
            do throws(PostgreSQLError) {
                _ = try await Connection(settings).run("SELECT 1")
            } catch {
                exit(error.code == .invalidSettings && error.message.contains(variable) ? 0 : 1)
            }
            exit(1)
        }
    }

    @Test func `a password that others can read is not used`() async throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("pass-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let isMade = FileManager.default.createFile(
            atPath: path, contents: Data("*:*:*:*:secret".utf8),
            attributes: [.posixPermissions: 0o644])
        try #require(isMade)
        let settings = ConnectionSettings(
            .socket(folder: "/nonexistent"), database: "x", user: "x", passwordFile: path)
        let error = await #expect(throws: PostgreSQLError.self) {
            try await Connection(settings).run("SELECT 1")
        }
        #expect(error?.code == .invalidSettings)
    }

    @Test func `a server that has no TLS is told nothing`() async throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(bound)
        let heard = Locked<[UInt8]>([])
        let thread = DedicatedThread(label: "no TLS") {
            let client = accept(listener, nil, nil)
            var buffer = [UInt8](repeating: 0, count: 1000)
            while true {
                let count = read(client, &buffer, buffer.count)
                guard count > 0 else { break }
                heard.withLock { $0 += buffer[..<count] }
                // "No": the client may go on in clear text.
                _ = send(client, "N", 1, Int32(MSG_NOSIGNAL))
            }
            close(client)
        }
        let settings = ConnectionSettings(
            .tls(host: "localhost", authorities: "/etc/ssl/certs/ca-certificates.crt"),
            port: UInt16(bigEndian: address.sin_port), database: "people", user: "ann")
        try #require(
            FileManager.default.isReadableFile(atPath: "/etc/ssl/certs/ca-certificates.crt"))
        let error = await #expect(throws: PostgreSQLError.self) {
            try await Connection(settings).run("SELECT 1")
        }
        #expect(error?.code == .couldNotConnect)
        thread.join()
        // Eight bytes that ask for TLS, and nothing else.
        #expect(heard.withLock { $0 } == [0, 0, 0, 8, 4, 210, 22, 47])
    }
}
