import JSON

extension FidelityRule {
    /// The members of a rule, in an object that has been begun; texts without their backticks.
    func write(to json: inout JSONWriter) {
        json.member("rule", name)
        json.member("number", number)
        json.member("area", area.rawValue)
        json.member("status", status.rawValue)
        json.member("asked", asked.withoutBackticks)
        json.member("answered", answered.withoutBackticks)
        json.member("evidence", evidence.isEmpty ? nil : citation)
        json.member("date", date)
        json.member("switch", changedBy?.withoutBackticks)
        json.member("tests", tests.isEmpty ? nil : tests)
        json.member("untested", reason)
    }
}

extension String {
    /// The text as it is shown where nobody reads Markdown.
    package var withoutBackticks: String { replacing("`", with: "") }
}
