/// Options that the verbs of every program share.
package enum CommonOptions {
    package static let help = Option("help", short: "h", "show this help and exit")
    package static let json = Option("json", "write one JSON event per line instead of text")
    package static let jsonInto = Option(
        "json-into", value: .file, "also write the JSON events to FILE")
    package static let quiet = Option(
        "quiet", short: "q",
        "print results and errors only, no progress")
    package static let verbose = Option("verbose", short: "v", "print more on standard error")
    package static let color = Option(
        "color", value: .choice(["auto", "always", "never"]),
        "use colors (auto: on a terminal, unless NO_COLOR is set)")

    /// How results are shown.
    package static let output = [json, jsonInto, quiet, verbose, color]
}
