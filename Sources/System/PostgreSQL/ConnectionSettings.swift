private import CPostgreSQL
private import Glibc

/// Which database, as whom, and how the server is known.
package struct ConnectionSettings: Sendable, Hashable {
    /// How the server is reached. There is no way to talk to another machine without TLS.
    package enum Server: Sendable, Hashable {
        /// By its socket in a folder of this machine.
        case socket(folder: String)
        /// By name. Its certificate must be for that name, and signed by who is in this PEM file.
        case tls(host: String, authorities: String)
    }

    package var server: Server
    package var port: UInt16
    package var database: String
    package var user: String
    /// A file of libpq's form (`host:port:database:user:password`) that only its owner can read;
    /// nil: `~/.pgpass`, as for every program that uses libpq.
    package var passwordFile: String?
    /// What `pg_stat_activity` shows.
    package var name: String
    package var limits: ConnectionLimits

    package init(
        _ server: Server, port: UInt16 = 5432, database: String, user: String,
        passwordFile: String? = nil, name: String = "cksweep",
        limits: ConnectionLimits = ConnectionLimits()
    ) {
        self.server = server
        self.port = port
        self.database = database
        self.user = user
        self.passwordFile = passwordFile
        self.name = name
        self.limits = limits
    }

    /// Reads `postgresql://user@host:port/database?sslrootcert=FILE&passfile=FILE`, or with
    /// `?host=/FOLDER` for a socket.
    ///
    /// - Throws: `invalidSettings`; also for a password in the address, and for any `sslmode` but
    ///   `verify-full`.
    package init(url: String) throws(PostgreSQLError) {
        guard url.hasPrefix("postgresql://") || url.hasPrefix("postgres://") else {
            throw Self.invalid("the address does not begin with postgresql://")
        }
        let options = try Self.parse(url)
        let known: Set = ["host", "port", "dbname", "user", "passfile", "sslmode", "sslrootcert"]
        guard options["password"] == nil else {
            throw Self.invalid(
                "the address holds a password; put it in a file and name that as passfile")
        }
        if let other = options.keys.sorted().first(where: { !known.contains($0) }) {
            throw Self.invalid("\(other) cannot be set in the address")
        }
        guard let host = options["host"], !host.contains(",") else {
            throw Self.invalid("the address names no server, or more than one")
        }
        guard let user = options["user"] else { throw Self.invalid("the address names no user") }
        guard let database = options["dbname"] else {
            throw Self.invalid("the address names no database")
        }
        guard let port = UInt16(options["port"] ?? "5432"), port > 0 else {
            throw Self.invalid("the port is not one number from 1 to 65535")
        }
        if host.hasPrefix("/") {
            server = .socket(folder: host)
        } else {
            guard options["sslmode"] ?? "verify-full" == "verify-full" else {
                throw Self.invalid("sslmode can only be verify-full")
            }
            guard let authorities = options["sslrootcert"], authorities != "system" else {
                throw Self.invalid(
                    "sslrootcert must name the file of the server's certificate authority")
            }
            server = .tls(host: host, authorities: authorities)
        }
        (self.port, self.database, self.user) = (port, database, user)
        passwordFile = options["passfile"]
        name = "cksweep"
        limits = ConnectionLimits()
    }

    /// Variables by which libpq goes to another server than the one it is told, and without TLS.
    private static let diversions = ["PGHOSTADDR", "PGSERVICE", "PGSERVICEFILE"]

    /// What libpq is given. Nothing that matters is left to its own variables.
    func keywords() throws(PostgreSQLError) -> [(String, String)] {
        for variable in Self.diversions where unsafe getenv(variable) != nil {
            throw Self.invalid("the variable \(variable) is set, and could lead to another server")
        }
        var words = [
            ("port", "\(port)"), ("dbname", database), ("user", user),
            ("application_name", name), ("client_encoding", "UTF8"), ("gssencmode", "disable"),
            ("target_session_attrs", "read-write"), ("options", serverOptions),
        ]
        if let passwordFile { words.append(("passfile", try checked(passwordFile))) }
        switch server {
        case .socket(let folder):
            guard folder.hasPrefix("/") else {
                throw Self.invalid("a socket's folder begins with /")
            }
            words += [("host", folder), ("sslmode", "disable")]
        case .tls(let host, let authorities):
            guard !host.isEmpty, !host.hasPrefix("/"), !host.contains(",") else {
                throw Self.invalid("\"\(host)\" is not the name of one server")
            }
            guard unsafe access(authorities, R_OK) == 0 else {
                throw Self.invalid("\(authorities) cannot be read")
            }
            words += [
                ("host", host), ("sslmode", "verify-full"), ("sslrootcert", authorities),
                ("ssl_min_protocol_version", "TLSv1.2"), ("keepalives_idle", "30"),
                ("keepalives_interval", "10"), ("keepalives_count", "3"),
                ("tcp_user_timeout", "\(limits.answer.milliseconds)"),
            ]
        }
        return words
    }

    /// For the session. Whoever goes away in the middle of a statement stops it within a second.
    private var serverOptions: String {
        [
            "statement_timeout=\(limits.answer.milliseconds)",
            "lock_timeout=\(limits.lock.milliseconds)",
            "idle_in_transaction_session_timeout=\(limits.answer.milliseconds)",
            "client_connection_check_interval=1000", "timezone=UTC",
            "default_transaction_isolation=read\\ committed", "synchronous_commit=on",
        ].map { "-c \($0)" }.joined(separator: " ")
    }

    /// libpq says only on standard error that it does not use a file which others can read.
    private func checked(_ passwordFile: String) throws(PostgreSQLError) -> String {
        var facts = stat()
        guard unsafe stat(passwordFile, &facts) == 0 else {
            throw Self.invalid("\(passwordFile) cannot be read")
        }
        guard facts.st_mode & S_IFMT == S_IFREG, facts.st_mode & 0o077 == 0 else {
            throw Self.invalid(
                "other users can read \(passwordFile): run chmod 600 \(passwordFile)")
        }
        return passwordFile
    }

    private static func parse(_ url: String) throws(PostgreSQLError) -> [String: String] {
        var complaint: UnsafeMutablePointer<CChar>?
        guard let first = unsafe PQconninfoParse(url, &complaint) else {
            // libpq's words repeat the address, which may hold a password.
            unsafe PQfreemem(complaint)
            throw invalid("the address cannot be read")
        }
        defer { unsafe PQconninfoFree(first) }
        var options: [String: String] = [:]
        var option = unsafe first
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe options[String(cString: keyword)] = String(cString: value)
            }
            unsafe option += 1
        }
        return options
    }

    private static func invalid(_ words: String) -> PostgreSQLError {
        PostgreSQLError(.invalidSettings, words, mayHaveBeenCommitted: false)
    }
}

extension Duration {
    /// Whole milliseconds, as many as fit what waits and settings take.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
