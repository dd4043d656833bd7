/// JSON as it stands in a message: members keep their order, and a name may stand twice.
///
/// The liar's own, so that it shares no mistake with the reader that it lies to.
package indirect enum Value: Sendable, Hashable {
    case null
    case bool(Bool)
    /// The digits as written.
    case number(String)
    case string(String)
    case array([Value])
    case object([Member])

    /// A name and what stands behind it.
    package struct Member: Sendable, Hashable {
        package var name: String
        package var value: Value
    }

    /// The last member of that name.
    package subscript(_ name: String) -> Value? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.last { $0.name == name }?.value
        }
        set {
            guard case .object(var members) = self else { return }
            let place = members.lastIndex { $0.name == name }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): return
            }
            self = .object(members)
        }
    }

    package var text: String? { if case .string(let text) = self { text } else { nil } }
    package var elements: [Value] { if case .array(let elements) = self { elements } else { [] } }

    /// The same without any member of these names, at any depth.
    package func without(_ names: Set<String>) -> Value {
        switch self {
        case .null, .bool, .number, .string: self
        case .array(let elements): .array(elements.map { $0.without(names) })
        case .object(let members):
            .object(
                members.filter { !names.contains($0.name) }
                    .map { Member(name: $0.name, value: $0.value.without(names)) })
        }
    }

    /// The same with every member of this name changed, at any depth; with nil it is left out.
    package func changing(_ name: String, _ change: (Value) -> Value?) -> Value {
        switch self {
        case .null, .bool, .number, .string: self
        case .array(let elements): .array(elements.map { $0.changing(name, change) })
        case .object(let members):
            .object(
                members.compactMap { member in
                    let value =
                        member.name == name
                        ? change(member.value) : member.value.changing(name, change)
                    return value.map { Member(name: member.name, value: $0) }
                })
        }
    }

    /// Puts one more member behind the others, whether or not the name is taken.
    package mutating func append(_ name: String, _ value: Value) {
        guard case .object(let members) = self else { return }
        self = .object(members + [Member(name: name, value: value)])
    }

    /// Puts one more member before the others, whether or not the name is taken.
    package mutating func prepend(_ name: String, _ value: Value) {
        guard case .object(let members) = self else { return }
        self = .object([Member(name: name, value: value)] + members)
    }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByIntegerLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .number(String(value)) }
    package init(arrayLiteral elements: Value...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, Value)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}
