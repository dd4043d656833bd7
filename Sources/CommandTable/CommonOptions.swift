/// Options that several verbs share.
package enum CommonOptions {
    package static let help = Option("help", short: "h", "show this help and exit")
    package static let config = Option(
        "config", short: "c", value: .file,
        "the container list (default: the only Containers/*.json)")
    package static let production = Option(
        "production", "allow a list whose environment is production")
    package static let rehearsal = Option(
        "rehearsal", "rehearse at the mock server that CLOUDKIT_EMULATOR_URL names")
    package static let state = Option(
        "state", value: .directory,
        "where runs are kept (default: $XDG_STATE_HOME/cksweep)")
    package static let json = Option("json", "print one JSON event a line instead of text")
    package static let jsonInto = Option(
        "json-into", value: .file, "write the JSON events to FILE as well")
    package static let quiet = Option("quiet", short: "q", "no progress; results and errors only")
    package static let verbose = Option("verbose", short: "v", "say more on standard error")
    package static let color = Option(
        "color", value: .choice(["auto", "always", "never"]),
        "colours (auto: on a terminal, unless NO_COLOR is set)")
    package static let parallelism = Option(
        "parallelism", value: .number(1...256), "requests in flight at most (default 16)")
    package static let maxDuration = Option(
        "max-duration", value: .duration, "stop after TIME; \"resume\" goes on (exit 8)")
    package static let approve = Option(
        "approve", value: .text("DIGEST"),
        "the digest of the plan that may be carried out, instead of the question")
    package static let allowPartial = Option(
        "allow-partial", value: .text("REASON"),
        "go on although something could not be listed; the result is 5 at best")

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
