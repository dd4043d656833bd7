extension Writer {
    mutating func add(_ value: Value) throws(UnknownType) {
        var body = Writer(types: types)
        let initializers =
            value.initializers.isEmpty ? [Self.whole(value.properties)] : value.initializers
        for initializer in initializers {
            let isEmpty = initializer.parameters.isEmpty
            body.add(
                initializer, of: value.properties + inherited(value), start: "self.init([:])",
                documentation: isEmpty ? "An empty value." : "A value of these parts.")
        }
        try body.add(value.properties)
        let kind = types.refined.contains(value.name) ? "class" : "final class"
        code.document(value.documentation, or: Words.of(value.name) + ".")
        code.block("public \(kind) \(value.name): \(value.parent ?? "INValueObject")") { code in
            for line in body.code.lines { code.add(line) }
        }
    }

    private func inherited(_ value: Value) -> [Property] {
        value.parent.flatMap { types.properties[$0] } ?? []
    }
}
