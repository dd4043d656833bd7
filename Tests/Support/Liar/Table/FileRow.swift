/// A run over files beside records whose addresses are lied about, and how it has to end.
package struct FileRow: Sendable {
    /// What must be said of the files.
    package enum Ending: String, Sendable {
        /// They are gone: exit 0.
        case gone
        /// They are there: exit 6.
        case left
        /// Nobody can tell: exit 5.
        case unproven
    }

    package let row: Row
    package let ending: Ending
    package var name: String { "\(row.name): \(ending.rawValue)" }

    private init(_ ending: Ending, _ verb: Row.Verb, _ lies: [Lie]) {
        row = Row(verb, lies, twist: .files)
        self.ending = ending
    }

    package static let all: [FileRow] =
        [FileRow(.gone, .sweep, []), FileRow(.gone, .apply, []), FileRow(.gone, .resume, [])]
        + verbs(.left, Kind.filesThere, .always) + verbs(.unproven, Kind.filesUnknown, .always)
        + passing + addresses

    /// Verbs take turns.
    private static func verbs(_ ending: Ending, _ kinds: [Kind], _ moment: Moment) -> [FileRow] {
        kinds.enumerated().map { number, kind in
            FileRow(
                ending, [Row.Verb.sweep, .apply, .resume][number % 3],
                [Lie(.downloads, moment, kind)])
        }
    }

    /// Said once, or in one pass: the next ones see the truth.
    private static let passing: [FileRow] = [
        FileRow(.gone, .sweep, [Lie(.downloads, .once, Kind.filesThere[0])]),
        FileRow(.gone, .sweep, [Lie(.downloads, .during(.pass(1)), Kind.filesThere[0])]),
        FileRow(.gone, .sweep, [Lie(.downloads, .during(.pass(2)), Kind.filesThere[0])]),
        FileRow(.gone, .sweep, [Lie(.downloads, .once, .unavailable)]),
    ]

    private static func told(_ ending: Ending, _ address: Kind, _ answer: Kind? = nil) -> FileRow {
        let lies = [answer.map { Lie(.downloads, .always, $0) }].compactMap { $0 }
        return FileRow(ending, .sweep, [Lie(.everything, .always, address)] + lies)
    }

    private static let addresses: [FileRow] = [
        told(.unproven, .addresses("no address") { _ in nil }),
        told(.unproven, .addresses("an empty address") { _ in "" }),
        told(.unproven, .addresses("an address without TLS") { "http" + $0.dropFirst(5) }),
        told(
            .unproven,
            .addresses("an address at a host that the certificate does not name") {
                $0.replacing("https://localhost", with: "https://other.localhost")
            }),
        told(
            .unproven,
            .addresses("an address where nobody listens") { _ in "https://localhost:1/asset/0" }),
        told(
            .gone, .addresses("an address that is good until nine") { $0 + "?e=1800003600" },
            .expired),
        told(
            .unproven, .addresses("an address that was good until seven") { $0 + "?e=1799996400" },
            .expired),
        told(
            .unproven, .addresses("an address with two ends") { $0 + "?e=1800003600&e=1" }, .expired
        ),
        FileRow(
            .left, .resume,
            [
                Lie(.everything, .always, .addresses("a second address") { $0 + "?second" }),
                Lie(.downloads, .always, .firstAddress),
            ]),
    ]
}
