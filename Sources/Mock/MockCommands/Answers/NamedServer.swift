import CommandLine

/// A namespace of a running mock server: a server of its own within it.
struct NamedServer {
    let name: String
    let url: String
    let ready: ReadyFile?

    init(_ answer: AdminAnswer) throws(CommandFailure) {
        name = try answer.text("name")
        url = try answer.text("url")
        ready = answer.ready
    }
}
