import Basics
import CloudWire
import JSON

extension AdminRequest {
    /// `?area=zones&status=ours&number=7`
    static func fidelity(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        var number: Int?
        if let text = input.query["number"] {
            number = Int(text)
            guard let number, FidelityLedger.behaviours.contains(number) else {
                throw AdminError(
                    "number must be from 1 to \(FidelityLedger.behaviours.upperBound)")
            }
        }
        return .fidelity(
            area: try choice("area", input.query), status: try choice("status", input.query),
            number: number)
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ query: WireQuery
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
}

extension MockApplication {
    /// What is known of the server's fidelity.
    func fidelity(_ rules: [FidelityRule]) -> RequestOutcome {
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
