package import CommandLine

// Options that several verbs of this program share.
extension CommonOptions {
    package static let production = Option(
        "production", "allow a list whose environment is production")
    package static let rehearsal = Option(
        "rehearsal", "run against the mock server at CLOUDKIT_EMULATOR_URL")
    package static let state = Option(
        "state", value: .directory,
        "folder for runs (default: $XDG_STATE_HOME/cksweep)")
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

    /// Which containers, and where the state is.
    package static let scope = [config, production, rehearsal, state]
    /// How fast, and how long.
    package static let pace = [parallelism, maxDuration]
    /// The same for verbs that only look, and so leave nothing to resume.
    package static let lookPace = [
        parallelism, Option(maxDuration.name, value: .duration, "stop after TIME (exit 8)"),
    ]
}
