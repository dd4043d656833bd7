/// Options that several verbs share.
package enum CommonOptions {
    package static let help = Option("help", short: "h", "show this help and exit")
    package static let config = Option(
        "config", short: "c", value: .file,
        "container list (default: the only file in Containers/)")
    package static let production = Option(
        "production", "allow a list whose environment is production")
    package static let rehearsal = Option(
        "rehearsal", "run against the mock server at CLOUDKIT_EMULATOR_URL")
    package static let state = Option(
        "state", value: .directory,
        "folder for runs (default: $XDG_STATE_HOME/cksweep)")
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
    package static let parallelism = Option(
        "parallelism", value: .number(1...256),
        "maximum number of concurrent requests (default 16)")
    package static let maxDuration = Option(
        "max-duration", value: .duration, "stop after TIME; \"resume\" continues (exit 8)")
    package static let approve = Option(
        "approve", value: .text("DIGEST"),
        "approve the plan with this digest instead of prompting")
    package static let allowPartial = Option(
        "allow-partial", value: .text("REASON"),
        "continue although a location cannot be listed; exits 5 at best")

    /// How results are shown.
    package static let output = [json, jsonInto, quiet, verbose, color]
    /// Which containers, and where the state is.
    package static let scope = [config, production, rehearsal, state]
    /// How fast, and how long.
    package static let pace = [parallelism, maxDuration]
    /// The same for verbs that only look, and so leave nothing to resume.
    package static let lookPace = [
        parallelism, Option(maxDuration.name, value: .duration, "stop after TIME (exit 8)"),
    ]
}
