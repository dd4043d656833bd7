import Basics
import CloudWire
import HTTPServer
import JSON

/// The rules of documented behavior, and how each is known.
struct RulesResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "fidelity",
            query: [
                "area", Shape.Member("status", .choice(of: FidelityRule.Status.self)),
                .integer("number", 1...118),
            ], answers: [.list("rules", of: "FidelityRule"), "sources", "totals"],
            isStored: false, "lists how each behavior is known, and the test that covers it",
            list)
    ]

    /// `?area=zones&status=ours&number=7`
    private func list() throws(AdminError) -> RequestOutcome {
        var number: Int?
        if let text = query["number"] {
            number = Int(text)
            guard let number, FidelityLedger.behaviours.contains(number) else {
                throw AdminError(
                    "number must be from 1 to \(FidelityLedger.behaviours.upperBound)")
            }
        }
        return list(
            FidelityLedger.rules(
                area: try choice("area"), status: try choice("status"), number: number))
    }

    private func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(AdminError) -> Choice? {
        guard let text = query[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue)
            throw AdminError(
                "\(name) must be one of \(names.joined(separator: ", "))"
                    + NearestName.hint(for: text, among: names))
        }
        return choice
    }

    /// What is known of the server's fidelity.
    private func list(_ rules: [FidelityRule]) -> RequestOutcome {
        .object { writer in
            writer.objects("rules", rules) { writer, rule in rule.write(to: &writer) }
            writer.objects("sources", FidelitySource.allCases) { writer, source in
                writer.member("name", source.name)
                writer.member("place", source.place)
                writer.member("date", source.date)
            }
            writer.key("totals")
            writer.object { writer in
                for (status, count) in FidelityLedger.totals(rules) {
                    writer.member(status.rawValue, count)
                }
            }
        }
    }
}
