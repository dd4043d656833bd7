private import CPostgreSQL
private import Glibc

/// A connection of libpq's, driven without ever blocking in libpq itself. One thread at a time.
@safe final class Link {
    private let handle: OpaquePointer
    private let waker: Waker
    private let limits: ConnectionLimits
    private let call: Waker.Call
    private var prepared: [Statement.Form: String] = [:]

    /// Connects, and waits until the server is ready.
    init(
        _ settings: ConnectionSettings, for call: Waker.Call, waker: Waker
    ) throws(PostgreSQLError) {
        let words = try settings.keywords()
        let started = unsafe Self.withCStrings(words.map(\.0)) { names in
            unsafe Self.withCStrings(words.map(\.1)) { values in
                unsafe PQconnectStartParams(names, values, 0)
            }
        }
        guard let handle = unsafe started else {
            throw PostgreSQLError(
                .couldNotConnect, "no memory for a connection", mayHaveBeenCommitted: false)
        }
        unsafe self.handle = handle
        self.waker = waker
        self.call = call
        limits = settings.limits
        unsafe cksweep_pq_ignore_notices(handle)
        try connect()
    }

    deinit { unsafe PQfinish(handle) }

    private func connect() throws(PostgreSQLError) {
        let end = ContinuousClock.now + limits.connect
        var direction = PGRES_POLLING_WRITING
        while direction != PGRES_POLLING_OK {
            guard direction != PGRES_POLLING_FAILED, unsafe PQstatus(handle) != CONNECTION_BAD
            else { throw couldNotConnect() }
            try wait(
                direction == PGRES_POLLING_READING ? POLLIN : POLLOUT, until: end, call,
                mayHaveBeenCommitted: false)
            // The socket can be another one after this.
            direction = unsafe PQconnectPoll(handle)
        }
        guard unsafe PQsetnonblocking(handle, 1) == 0, unsafe PQenterPipelineMode(handle) == 1
        else { throw couldNotConnect() }
    }

    private func couldNotConnect() -> PostgreSQLError {
        PostgreSQLError(.couldNotConnect, lastMessage, mayHaveBeenCommitted: false)
    }

    // MARK: One transaction

    /// Sends statements in one go, which the server carries out as one transaction, and reads their
    /// rows.
    ///
    /// - Throws: After an error of the connection itself this link must not be used again; ``isUsable``
    ///   tells.
    func run(
        _ statements: [Statement], for call: Waker.Call, until end: ContinuousClock.Instant
    ) throws(PostgreSQLError) -> [[Row]] {
        let fresh = try send(statements)
        guard unsafe PQpipelineSync(handle) == 1 else { throw lost(mayHaveBeenCommitted: true) }
        try flush(until: end, call)
        var reader = AnswerReader(limits)
        do throws(PostgreSQLError) {
            try read(&reader, of: statements, fresh, until: end, call)
        } catch {
            // A server that ends the session says why, and then is gone.
            throw reader.failure ?? error
        }
        if let failure = reader.failure { throw failure }
        return reader.answers
    }

    private func read(
        _ reader: inout AnswerReader, of statements: [Statement], _ fresh: [String?],
        until end: ContinuousClock.Instant, _ call: Waker.Call
    ) throws(PostgreSQLError) {
        for (statement, name) in zip(statements, fresh) {
            if let name {
                try read(&reader, until: end, call)
                if reader.failure == nil { prepared[statement.form] = name }
            }
            try read(&reader, until: end, call)
            reader.endStatement()
        }
        try readSync(until: end, call, &reader)
    }

    /// Statements that the server keeps compiled.
    var preparedCount: Int { prepared.count }

    /// Whether another transaction can be sent.
    var isUsable: Bool {
        unsafe PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE
    }

    /// Hands the statements to libpq.
    ///
    /// - Returns: For each of them the name it is compiled under; nil where it was before.
    private func send(_ statements: [Statement]) throws(PostgreSQLError) -> [String?] {
        var sent: [Statement.Form: String] = [:]
        return try statements.map { (statement) throws(PostgreSQLError) -> String? in
            let form = statement.form
            var fresh: String?
            let name: String
            if let known = prepared[form] ?? sent[form] {
                name = known
            } else {
                name = "s\(prepared.count + sent.count)"
                fresh = name
                sent[form] = name
                let count = Int32(form.types.count)
                guard unsafe PQsendPrepare(handle, name, form.sql, count, form.types) == 1
                else { throw lost(mayHaveBeenCommitted: false) }
            }
            guard sendPrepared(name, statement.values.map(\.encoded)) else {
                throw lost(mayHaveBeenCommitted: false)
            }
            return fresh
        }
    }

    private func sendPrepared(_ name: String, _ values: [[UInt8]?]) -> Bool {
        // One buffer for all values, so that each has an address for as long as the call takes.
        // An empty one needs an address too: none means NULL.
        let buffer = (values.flatMap { $0 ?? [] } + [0]).map { CChar(bitPattern: $0) }
        return unsafe buffer.withUnsafeBufferPointer { bytes in
            var pointers: [UnsafePointer<CChar>?] = unsafe []
            var offset = 0
            for value in values {
                let start = unsafe bytes.baseAddress.map { unsafe $0 + offset }
                unsafe pointers.append(value == nil ? nil : start)
                offset += value?.count ?? 0
            }
            let lengths = values.map { Int32($0?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: values.count)
            return unsafe PQsendQueryPrepared(
                handle, name, Int32(values.count), pointers, lengths, formats, 1) == 1
        }
    }

    // MARK: Answers

    private func read(
        _ reader: inout AnswerReader, until end: ContinuousClock.Instant, _ call: Waker.Call
    ) throws(PostgreSQLError) {
        // Row by row, so that an answer which is too large is not held in memory first.
        unsafe PQsetSingleRowMode(handle)
        while let result = try unsafe next(until: end, call) {
            defer { unsafe PQclear(result) }
            switch unsafe PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_PIPELINE_ABORTED: break
            case PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE: try unsafe reader.take(result)
            default: unsafe reader.fail(result)
            }
            guard unsafe PQstatus(handle) == CONNECTION_OK else {
                throw lost(mayHaveBeenCommitted: true)
            }
        }
    }

    private func readSync(
        until end: ContinuousClock.Instant, _ call: Waker.Call, _ reader: inout AnswerReader
    ) throws(PostgreSQLError) {
        // What fails at the commit comes in place of the end.
        while let result = try unsafe next(until: end, call) {
            defer { unsafe PQclear(result) }
            if unsafe PQresultStatus(result) == PGRES_PIPELINE_SYNC { return }
            unsafe reader.fail(result)
        }
        if reader.failure == nil { throw lost(mayHaveBeenCommitted: true) }
    }

    private func next(
        until end: ContinuousClock.Instant, _ call: Waker.Call
    ) throws(PostgreSQLError) -> OpaquePointer? {
        while unsafe PQisBusy(handle) == 1 {
            try wait(POLLIN, until: end, call, mayHaveBeenCommitted: true)
            guard unsafe PQconsumeInput(handle) == 1 else {
                throw lost(mayHaveBeenCommitted: true)
            }
        }
        return unsafe PQgetResult(handle)
    }

    /// Sends all that libpq holds. Reads meanwhile: a server whose answers nobody takes stops reading.
    private func flush(
        until end: ContinuousClock.Instant, _ call: Waker.Call
    ) throws(PostgreSQLError) {
        while true {
            switch unsafe PQflush(handle) {
            case 0: return
            case 1:
                try wait(POLLIN | POLLOUT, until: end, call, mayHaveBeenCommitted: true)
                guard unsafe PQconsumeInput(handle) == 1 else {
                    throw lost(mayHaveBeenCommitted: true)
                }
            default: throw lost(mayHaveBeenCommitted: true)
            }
        }
    }

    // MARK: Waiting

    private func wait(
        _ events: Int32, until end: ContinuousClock.Instant, _ call: Waker.Call,
        mayHaveBeenCommitted: Bool
    ) throws(PostgreSQLError) {
        let socket = unsafe PQsocket(handle)
        guard socket >= 0 else { throw lost(mayHaveBeenCommitted: mayHaveBeenCommitted) }
        while true {
            guard !call.isCancelled else {
                throw PostgreSQLError(
                    .cancelled, "cancelled", mayHaveBeenCommitted: mayHaveBeenCommitted)
            }
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else {
                throw PostgreSQLError(
                    .timedOut, "no reply in time", mayHaveBeenCommitted: mayHaveBeenCommitted)
            }
            var entries = [
                pollfd(fd: socket, events: Int16(events), revents: 0),
                pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = unsafe poll(&entries, 2, left.milliseconds &+ 1)
            guard count > 0 else { continue }
            if entries[1].revents != 0 { waker.clear() }
            if entries[0].revents != 0 { return }
        }
    }

    // MARK: Errors

    private func lost(mayHaveBeenCommitted: Bool) -> PostgreSQLError {
        PostgreSQLError(
            .connectionLost, lastMessage, mayHaveBeenCommitted: mayHaveBeenCommitted)
    }

    /// libpq's own words, in one line.
    private var lastMessage: String {
        guard let words = unsafe PQerrorMessage(handle) else { return "no reason was given" }
        let lines = unsafe String(cString: words).split(separator: "\n")
            .map { $0.drop { $0 == "\t" || $0 == " " } }
        return lines.isEmpty ? "the connection has ended" : lines.joined(separator: "; ")
    }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let copies = unsafe texts.map { unsafe strdup($0) }
        defer { for index in 0..<texts.count { unsafe free(copies[index]) } }
        let pointers = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
        return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
}
