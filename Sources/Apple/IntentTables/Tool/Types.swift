/// What the tables say of types, all tables together.
struct Types {
    /// The classes that a value of another table refines.
    let refined: Set<String>
    /// The properties of each class of values.
    let properties: [String: [Property]]
    private var fallbacks: [String: String] = [:]

    init(_ tables: [Table]) {
        refined = Set(tables.flatMap { $0.values.compactMap(\.parent) })
        properties = Dictionary(
            tables.flatMap(\.values).map { ($0.name, $0.properties) }, uniquingKeysWith: { $1 })
        for table in tables {
            for value in table.values { fallbacks[value.name] = value.name + "([:])" }
            for cases in table.cases { fallbacks[cases.name] = cases.fallback }
            for bits in table.bits { fallbacks[bits.name] = "[]" }
            fallbacks.merge(table.fallbacks) { $1 }
        }
    }

    /// What stands for a value that is not there; nil when the type has none.
    func fallback(_ type: String) -> String? { type.hasPrefix("[") ? "[]" : fallbacks[type] }
}
