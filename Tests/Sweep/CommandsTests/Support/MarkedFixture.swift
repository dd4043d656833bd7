import CommandWorld
import Foundation
import LeakSearch

/// The demonstration's data with every word of a person's replaced by one that stands nowhere else.
struct MarkedFixture {
    /// The fixture's JSON.
    private(set) var text = ""
    private(set) var words = MarkedWords()
    /// What stands for each name.
    private var names: [String: String] = [:]

    init() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: MockStart.fixture))
        var fixture = try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
        fixture["users"] = (fixture["users"] as? [[String: Any]] ?? []).map { user in
            var user = user
            for key in ["givenName", "familyName"] { user[key] = value() }
            return user
        }
        fixture["databases"] = (fixture["databases"] as? [Any] ?? []).map { marked($0, "") }
        text = String(
            decoding: try JSONSerialization.data(withJSONObject: fixture), as: UTF8.self)
    }

    /// A value of a field, or a readable name.
    private mutating func value() -> String {
        let mark = "kiwi-value-\(words.values.count)-x"
        words.values.append(mark)
        return mark
    }

    /// The same mark for the same name.
    private mutating func name(
        _ name: String, _ list: WritableKeyPath<MarkedWords, [String]>, _ mark: String
    ) -> String {
        if name == "_defaultZone" { return name }
        if let known = names[name] { return known }
        let made = "\(mark)-\(names.count)-y"
        names[name] = made
        words[keyPath: list].append(made)
        return made
    }

    private mutating func marked(_ value: Any, _ key: String) -> Any {
        if let object = value as? [String: Any] {
            if key == "fields" { return object.mapValues { field($0) } }
            var result: [String: Any] = [:]
            // In order, so that marks are the same each time.
            for (key, value) in object.sorted(by: { $0.key < $1.key }) {
                let isZone = key == "zoneName" || (key == "name" && object["records"] != nil)
                if let text = value as? String, isZone {
                    result[key] = name(text, \.zones, "kiwi-zone")
                } else if let text = value as? String,
                    key == "recordName" || key == "subscriptionID"
                {
                    result[key] = name(text, \.records, "kiwi-item")
                } else {
                    result[key] = marked(value, key)
                }
            }
            return result
        }
        guard let list = value as? [Any] else { return value }
        return list.map { marked($0, key) }
    }

    /// A field with marked text; what it refers to by its mark.
    private mutating func field(_ field: Any) -> Any {
        guard var object = field as? [String: Any] else { return field }
        switch object["value"] {
        case is String where object["type"] as? String == "STRING": object["value"] = value()
        case let list as [String]: object["value"] = list.map { _ in value() }
        case let inner?: object["value"] = marked(inner, "")
        case nil: break
        }
        return object
    }
}
