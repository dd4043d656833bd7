import CloudCommandLine
import CommandLine

/// Options of the verbs that sync donations.
enum SyncOptions {
    static let once = Option("once", "run one round, then end (default)")
    static let watch = Option("watch", "run round after round, until interrupted")
    static let interval = Option(
        "interval", value: .duration,
        "with --watch: pause between two rounds (default: the list's, else 1m)")
    static let maxWait = Option(
        "max-wait", value: .duration,
        "end the round when the service asks for a longer wait (default 2m)")
    static let maxDuration = Option(
        "max-duration", value: .duration, "stop after TIME (exit 8)")
    static let container = Option(
        "container", value: .known("CONTAINER", .container), "container of the zone")
    static let database = Option(
        "database", value: .choice(["private", "shared"]), "database of the zone (default private)")
    static let owner = Option(
        "owner", value: .text("USER"), "owner of a zone in the shared database")
    static let items = Option("items", "also synchronize the items of the search index")
    static let yes = Option("yes", short: "y", "do not prompt")

    /// Options of every verb of the family.
    static let common = CommonOptions.scope + CommonOptions.output
}
