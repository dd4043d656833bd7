import CommandTable

/// Options of the verbs that sync donations.
enum SyncOptions {
    static let once = Option("once", "one round, then end (what it does unless told otherwise)")
    static let watch = Option("watch", "round after round, until it is stopped")
    static let interval = Option(
        "interval", value: .duration,
        "with --watch: the pause between two rounds (default: the list's, else 1m)")
    static let maxWait = Option(
        "max-wait", value: .duration,
        "end the round when the service asks for a longer wait (default 2m)")
    static let maxDuration = Option(
        "max-duration", value: .duration, "stop after TIME (exit 8)")
    static let container = Option(
        "container", value: .known("CONTAINER", .container), "the container whose zone is meant")
    static let database = Option(
        "database", value: .choice(["private", "shared"]), "the database (default private)")
    static let owner = Option(
        "owner", value: .text("USER"), "who owns a zone of the shared database")
    static let items = Option("items", "sync the items of the search index as well")
    static let yes = Option("yes", short: "y", "do not ask")

    /// Options of every verb of the family.
    static let common = CommonOptions.scope + CommonOptions.output
}
