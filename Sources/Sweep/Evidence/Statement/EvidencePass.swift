package import Basics

/// One fresh look at everything in scope, as a statement tells it.
package struct EvidencePass: Sendable, Hashable {
    /// How it looked. A pass that asked for lists of zones only is none.
    package enum Method: String, Sendable, CaseIterable {
        case content
    }

    /// Counts from 1.
    package var number: Int
    package var beganAt: Timestamp
    package var endedAt: Timestamp
    package var method: Method
    package var requests: Int
    /// Rows of the coverage map that were looked at whole.
    package var rows: Int
    /// Looks that failed.
    package var unread: Int
    /// Things that were seen and should not be there.
    package var left: Int

    /// Whether everything was read, and nothing was left.
    package var isClean: Bool { left == 0 && unread == 0 }

    package init(
        number: Int, beganAt: Timestamp, endedAt: Timestamp, requests: Int, rows: Int, unread: Int,
        left: Int
    ) {
        self.number = number
        self.beganAt = beganAt
        self.endedAt = endedAt
        method = .content
        self.requests = requests
        self.rows = rows
        self.unread = unread
        self.left = left
    }

    var canonical: CanonicalValue {
        .object([
            ("beganAt", .number(beganAt.milliseconds)),
            ("endedAt", .number(endedAt.milliseconds)), ("left", .number(Int64(left))),
            ("method", .text(method.rawValue)), ("number", .number(Int64(number))),
            ("requests", .number(Int64(requests))), ("rows", .number(Int64(rows))),
            ("unread", .number(Int64(unread))),
        ])
    }

    init(_ members: inout Members) throws(EvidenceError) {
        number = try members.count("number")
        beganAt = try members.time("beganAt")
        endedAt = try members.time("endedAt")
        method = try members.word("method", Method.self)
        requests = try members.count("requests")
        rows = try members.count("rows")
        unread = try members.count("unread")
        left = try members.count("left")
    }
}
