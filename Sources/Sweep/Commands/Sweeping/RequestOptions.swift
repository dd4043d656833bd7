import Basics
import CommandLine
import DeletionPlanning

/// Options about the request that a run answers, and about when its plan may be carried out.
enum RequestOptions {
    static let receivedAt = Option(
        "received-at", value: .text("DATE"),
        "date of the user's request, such as 2026-01-31; needs --regime")
    static let regime = Option(
        "regime", value: .choice(Regime.allCases.map(\.rawValue)),
        "law that sets the time limit: one month, or 45 days")
    static let notBefore = Option(
        "not-before", value: .text("TIME"),
        "\"apply\" refuses the plan before TIME: 7d, or 2026-01-31T08:00:00Z")
    static let all = [receivedAt, regime]

    /// The longest that a plan may have to wait.
    private static let waitMax: Duration = .seconds(366 * 86_400)

    /// - Throws: a usage error for what is no day or time, for half a request, and for a day that is
    ///   yet to come anywhere on Earth.
    static func conditions(
        _ arguments: Arguments, at now: Timestamp
    ) throws(CommandFailure) -> PlanConditions {
        PlanConditions(
            notBefore: try arguments.text(notBefore).map {
                (text) throws(CommandFailure) in try time(text, now)
            }, request: try request(arguments, now))
    }

    private static func request(
        _ arguments: Arguments, _ now: Timestamp
    ) throws(CommandFailure) -> ErasureRequest? {
        let regime = arguments.text(regime).flatMap { Regime(rawValue: $0) }
        guard let text = arguments.text(receivedAt) else {
            guard regime == nil else {
                throw CommandFailure(.usage, "--regime needs --received-at")
            }
            return nil
        }
        guard let regime else {
            throw CommandFailure(
                .usage, "--received-at needs --regime")
        }
        guard let day = CivilDate(iso8601: text) else {
            throw CommandFailure(.usage, "--received-at takes a date such as 2026-01-31")
        }
        // Somewhere it is tomorrow already.
        let today = CivilDate(daysSince1970: Int(now.milliseconds.quotientFloor(86_400_000)))
        guard day <= today.adding(days: 1) else {
            throw CommandFailure(.usage, "--received-at \(text) is in the future")
        }
        return ErasureRequest(receivedOn: day, regime: regime)
    }

    private static func time(_ text: String, _ now: Timestamp) throws(CommandFailure) -> Timestamp {
        let time = Timestamp(iso8601: text) ?? DurationText.parse(text).map(now.advanced(by:))
        guard let time else {
            throw CommandFailure(
                .usage,
                "--not-before takes a time such as 2026-01-31T08:00:00Z, or a duration such as 7d")
        }
        guard time.since(now) <= waitMax else {
            throw CommandFailure(.usage, "--not-before is at most 366 days from now")
        }
        return time
    }
}
