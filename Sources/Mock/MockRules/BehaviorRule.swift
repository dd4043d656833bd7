/// One behavior of the mock server: how it is known that CloudKit behaves so, and the tests that cover it.
package struct BehaviorRule: Sendable, Hashable {
    /// What a rule is about, in the order in which rules are shown.
    package enum Area: String, CaseIterable, Sendable {
        case accounts, credentials, zones, records, batches, references, feeds, sharing, queries
        case subscriptions, assets, schemas, requests, errors
    }

    /// How it is known that CloudKit behaves so.
    package enum Status: String, CaseIterable, Sendable {
        /// By Apple, in a page, a header or a technote.
        case documented
        /// Recorded at the live service.
        case observed
        /// Deduced from Apple's tests and samples, from others' clients and mocks, or from other rules.
        case inferred
        /// Chosen because it is unknown, or different from CloudKit on purpose.
        case ours
    }

    /// A source, and the part of it.
    package struct Citation: Sendable, Hashable {
        package let source: RuleSource
        /// Such as `CKError 9`; empty: the whole source.
        package let part: String
    }

    /// The number of a behavior of CloudKit, or the short name of a choice.
    package let name: String
    package let area: Area
    package let status: Status
    /// What the server is asked, or what happens. Code is between backticks, as in every text of a rule.
    package let request: String
    /// What the server answers or does.
    package let response: String
    package let citations: [Citation]
    /// When it was chosen; else the newest date of its sources, as exactly as it is known: `2026-08-19`,
    /// `2026-11` or `2018`.
    package let date: String
    /// What changes it: `--option NAME` of the server's settings, an option of `cloudkit-mock serve`, or words.
    package let setting: String?
    /// Names of test functions, or a number such as `C-51` that is part of such names.
    package let tests: [String]
    /// Why no request can show it; nil if there are tests.
    package let untested: String?

    /// The number of a behavior of CloudKit; nil: a choice of this project.
    package var number: Int? { Int(name) }

    /// The sources in words: `Apple's headers (CKError 9); sqlite-data (test noAccount)`.
    package var sources: String {
        citations.map { $0.part.isEmpty ? $0.source.name : "\($0.source.name) (\($0.part))" }
            .joined(separator: "; ")
    }
}

/// Where it is stated or was seen what CloudKit does.
package struct RuleSource: Sendable, Hashable {
    /// As rules cite it.
    package let identifier: String
    /// As it is shown.
    package let name: String
    /// Where it can be read.
    package let place: String
    /// The date of the version that was read, or else the day it was read; as exactly as it is known.
    package let date: String
}

extension String {
    /// The text as it is shown where Markdown is not rendered.
    package var withoutBackticks: String { replacing("`", with: "") }
}
