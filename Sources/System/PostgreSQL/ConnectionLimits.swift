/// How long a connection waits, and how much it takes.
package struct ConnectionLimits: Sendable, Hashable {
    /// From the first byte to a server that is ready. Looking up a name is not counted.
    package var connect: Duration = .seconds(10)
    /// From the call, with all that it waits for, to the answer. The server gives up a statement after
    /// as long.
    package var answer: Duration = .seconds(30)
    /// How long the server waits for a row that another transaction has locked.
    package var lock: Duration = .seconds(5)
    /// Statements of one transaction.
    package var statements = 1_000
    /// Bytes of one transaction's statements.
    package var bytesSent = 16 << 20
    /// Rows of one transaction's answers.
    package var rows = 100_000
    /// Bytes of one transaction's answers.
    package var bytesReceived = 64 << 20
    /// Callers who wait for their turn.
    package var callers = 64
    /// Statements that the server keeps compiled.
    package var prepared = 200

    package init() {}
}
