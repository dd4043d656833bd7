import CloudClient
import MockStore

/// One random world: what is there, what is asked for, and what goes wrong meanwhile.
struct World: Sendable {
    let seed: UInt64
    var setup: WorldService.Setup
    var wish: Wish
    /// Requests in flight.
    var parallelism = 4
    var writes: [DeviceWrite] = []
    /// What the owner of a zone does for another: acts of the service.
    var shares: [String] = []
    /// What the person then writes in a zone of the other.
    var guests: [(container: String, drafts: [Wire.Draft])] = []
    var edges: [Edge] = []
    /// Files beside records.
    var files: [File] = []
    var script: [Act] = []
    /// Whether things refer to each other so that not all that should go can go.
    var hasConflicts = false
    /// The operator's key; nil: the person signs in.
    var key: Credential?
    /// Types whose records an operator's key may not delete.
    var ungranted: Set<String> = []

    /// One command of our client, with what happens during it.
    struct Act: Sendable {
        enum Verb: String, Sendable, CaseIterable { case plan, apply, sweep, resume, verify }
        var verb: Verb
        var moments: [Moment] = []
        var faults: [String] = []
        /// The commit at which the journal breaks, and whether before it.
        var cut: (commit: Int, before: Bool)?
        /// What other devices do before it.
        var before: [DeviceAct] = []

        /// Whether every answer that arrives is true.
        var isTruthful: Bool {
            let lies = ["stale", "drop", "repeat", "empty page", "NOT_FOUND", " on "]
            return faults.allSatisfy { fault in !lies.contains { fault.contains($0) } }
        }

        /// Whether only our client does anything, and every answer that arrives is true.
        var isPlain: Bool {
            before.isEmpty && isTruthful
                && moments.allSatisfy {
                    switch $0.event {
                    case .restart, .stop: true
                    case .device, .signOut, .swap: false
                    }
                }
        }
        var description: String {
            let parts =
                before.map { "first \($0)" } + moments.map(\.description) + faults
                + (cut.map { ["journal cut \($0.before ? "before" : "after") commit \($0.commit)"] }
                    ?? [])
            return verb.rawValue + (parts.isEmpty ? "" : " [" + parts.joined(separator: "; ") + "]")
        }
    }

    static let zones = ["Notes", "Keep", "Photos"]
    /// What one person shares with the other.
    static let sharedZone = "Shared"
    static let types = ["Note", "Tag", "Log"]
    /// A type that no list names.
    static let hiddenType = "Hidden"

    var containers: [String] { wish.targets.map(\.container) }
    var description: String {
        let targets = wish.targets.map {
            "\($0.container) types \($0.types.map { "\($0)" } ?? "unknown") zones \($0.zones)"
        }
        let rules = wish.rules.map {
            "keep \($0.container ?? "*")/\($0.zone ?? "*")/\($0.type ?? "*")"
        }
        let traits = [
            setup.singleUseTokens ? "single-use tokens" : "", setup.folder == nil ? "" : "on disk",
            hasConflicts ? "conflicts" : "", wish.othersMayGo ? "others may go along" : "",
            wish.isNamed ? "a named person, without grants of \(ungranted.sorted())" : "",
            wish.deletesMine ? "deletes own records of others' zones" : "",
            "default zone \(setup.options.defaultZoneMode)",
            "parallelism \(parallelism)", files.isEmpty ? "" : "\(files.count) files",
        ].filter { !$0.isEmpty }
        return (targets + ["\(wish.scopes.sorted())"] + traits + rules + script.map(\.description))
            .joined(separator: " | ")
    }
}
