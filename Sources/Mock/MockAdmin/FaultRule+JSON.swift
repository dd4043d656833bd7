package import JSON
import MockFaults
package import MockService

/// The JSON form:
///
///     {"id": "f1", "when": {"operation": "zones/modify", "nth": 3}, "do": {"kind": "emptyPage"}}
extension FaultRule {
    /// Reads the JSON form, or the text form from a string.
    ///
    /// - Parameter id: Used where the value gives none.
    package init(json value: JSONValue, id: String) throws(MockError) {
        let text = value.string
        let given = text == nil ? try Self.read(value, id: id) : nil
        do throws(FaultError) {
            if let given {
                self = try FaultRule(id: given.id, given.action, given.values)
            } else {
                self = try FaultRule(id: id, text: text ?? "")
            }
        } catch {
            throw MockError(error.description)
        }
    }

    private static func read(
        _ value: JSONValue, id: String
    ) throws(MockError) -> (id: String, action: FaultAction, values: [FaultParameter: FaultValue]) {
        try value.allow(["id", "when", "do"])
        guard let when = value.present("when"), let what = value.present("do") else {
            throw value.refusal("needs \"when\" and \"do\"")
        }
        guard let action: FaultAction = try what.choice("kind") else {
            throw what.refusal("needs \"kind\"")
        }
        let taken = action.parameters.all
        try what.allow(["kind"] + taken.map(\.facts.name))
        let values = try conditions(when).merging(try read(taken, of: what)) { $1 }
        return (try value.text("id") ?? id, action, values)
    }

    /// Reads what stands under `when`.
    static func conditions(
        _ when: JSONValue
    ) throws(MockError) -> [FaultParameter: FaultValue] {
        try when.allow(FaultParameter.conditions.map(\.facts.name))
        return try read(FaultParameter.conditions, of: when)
    }

    private static func read(
        _ parameters: [FaultParameter], of object: JSONValue
    ) throws(MockError) -> [FaultParameter: FaultValue] {
        var values: [FaultParameter: FaultValue] = [:]
        for parameter in parameters {
            guard let value = object.present(parameter.facts.name) else { continue }
            let number = value.int64.map { "\($0)" } ?? value.double.map { "\($0)" }
            guard let text = value.string ?? number.map({ $0 + parameter.facts.unit }) else {
                throw value.refusal("must be text or a number")
            }
            do throws(FaultError) {
                values[parameter] = try parameter.value(of: text)
            } catch {
                throw value.refusal(error.description)
            }
        }
        return values
    }

    /// The same on other requests.
    func matching(
        _ conditions: [FaultParameter: FaultValue]
    ) throws(FaultError) -> FaultRule {
        let kept = values.filter { !FaultParameter.conditions.contains($0.key) }
        return try FaultRule(id: id, action, kept.merging(conditions) { $1 })
    }

    /// Writes the JSON form, which ``init(json:id:)`` reads back.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writeMembers(to: &writer)
        }
    }

    /// The members of the JSON form but the id.
    func writeMembers(to writer: inout JSONWriter) {
        writer.object("when") { write(FaultParameter.conditions, to: &$0) }
        writer.object("do") { writer in
            writer.member("kind", action.rawValue)
            write(action.parameters.all, to: &writer)
        }
    }

    private func write(_ parameters: [FaultParameter], to writer: inout JSONWriter) {
        for parameter in parameters {
            guard let value = values[parameter] else { continue }
            let name = parameter.facts.name
            if case .number(let number) = value, number < .infinity {
                let whole = Int(exactly: number)
                writer.member(name, whole)
                if whole == nil { writer.member(name, number) }
            } else {
                writer.member(name, value.text())
            }
        }
    }
}
