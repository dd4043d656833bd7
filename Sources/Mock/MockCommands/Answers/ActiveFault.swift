import CommandLine

/// A fault of a running mock server.
struct ActiveFault {
    let id: String
    /// As it is written in a rule.
    let text: String
    /// How many requests it applied to.
    let matched: Int
    /// How often it took effect.
    let fired: Int

    init(_ answer: AdminAnswer) throws(CommandFailure) {
        id = try answer.text("id")
        text = try answer.text("text")
        matched = try answer.number("matched")
        fired = try answer.number("fired")
    }

    static let columns = ["id", "fired", "matched", "rule"]

    var cells: [TextTable.Cell] { [.init(id), .number(fired), .number(matched), .init(text)] }

    var event: Event {
        Event(
            "fault",
            [
                .init("id", id), .init("rule", text), .init("fired", fired),
                .init("matched", matched),
            ])
    }
}
