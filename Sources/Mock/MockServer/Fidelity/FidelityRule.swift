/// One thing that the mock server does, how it is known that CloudKit does so, and what holds it.
package struct FidelityRule: Sendable {
    /// How it is known that CloudKit does so.
    package enum Status: String, CaseIterable, Sendable {
        /// Apple says so: in a page, a header or a technote.
        case documented
        /// Somebody recorded the live service doing so.
        case observed
        /// Deduced from tests and samples of Apple, from others' clients and mocks, or from other
        /// rules.
        case inferred
        /// Chosen, because nobody says what CloudKit does; or other than CloudKit, on purpose.
        case ours
    }

    /// What makes the server do otherwise.
    package enum Switch: Sendable {
        /// A name of ``ServerOption/table``.
        case option(String)
        /// An option of `cloudkit-mock serve`, with its dashes.
        case flag(String)
        case words(String)
    }

    /// What keeps the server to it.
    package enum Proof: Sendable {
        /// Names of test functions, or a number such as `C-51` that stands in such names.
        case tests([String])
        /// Why no request can show it.
        case reason(String)
    }

    /// The number of a behaviour of CloudKit, or the short name of a choice.
    package let name: String
    /// Behaviours of CloudKit are numbered from 1 to 118; choices have no number.
    package let number: Int?
    package let area: FidelityArea
    package let status: Status
    /// What the server is asked, or what happens. Code stands between backticks.
    package let asked: String
    /// What it answers, or does.
    package let answered: String
    /// Where it is said or was seen, and where in that.
    package let evidence: KeyValuePairs<FidelitySource, String>
    package let change: Switch?
    package let proof: Proof
    private let chosen: String?

    private init(
        name: String, number: Int?, _ area: FidelityArea, _ status: Status, _ asked: String,
        _ answered: String, _ evidence: KeyValuePairs<FidelitySource, String>, _ chosen: String?,
        _ change: Switch?, _ proof: Proof
    ) {
        self.name = name
        self.number = number
        self.area = area
        self.status = status
        self.asked = asked
        self.answered = answered
        self.evidence = evidence
        self.chosen = chosen
        self.change = change
        self.proof = proof
    }

    /// A behaviour of CloudKit.
    init(
        _ number: Int, _ area: FidelityArea, _ status: Status, asked: String, answered: String,
        _ evidence: KeyValuePairs<FidelitySource, String>, on chosen: String? = nil,
        change: Switch? = nil, _ proof: Proof
    ) {
        self.init(
            name: "\(number)", number: number, area, status, asked, answered, evidence, chosen,
            change, proof)
    }

    /// A choice.
    ///
    /// - Parameter chosen: The day of it, where nothing that is cited has one.
    init(
        choice name: String, _ area: FidelityArea, _ status: Status, asked: String,
        answered: String, _ evidence: KeyValuePairs<FidelitySource, String> = [:],
        on chosen: String? = nil, change: Switch? = nil, _ proof: Proof
    ) {
        self.init(
            name: name, number: nil, area, status, asked, answered, evidence, chosen, change, proof)
    }

    /// When it was chosen; else the date of the newest source, as exactly as it is known:
    /// `2026-08-19`, `2026-11` or `2018`.
    package var date: String {
        chosen ?? evidence.map(\.key.date).max() ?? ""
    }

    /// The sources in words: `Apple's headers (CKError 9); sqlite-data (test noAccount)`.
    package var citation: String {
        evidence.map { $0.value.isEmpty ? $0.key.name : "\($0.key.name) (\($0.value))" }
            .joined(separator: "; ")
    }

    /// The tests, or nothing where a reason stands in for them.
    package var tests: [String] {
        if case .tests(let names) = proof { names } else { [] }
    }

    /// Why no request can show it; nil where a test does.
    package var reason: String? {
        if case .reason(let words) = proof { words } else { nil }
    }

    /// What makes the server do otherwise, in words: `--option emptyPages`.
    package var changedBy: String? {
        switch change {
        case .option(let name): "--option \(name)"
        case .flag(let flag): flag
        case .words(let words): words
        case nil: nil
        }
    }
}
