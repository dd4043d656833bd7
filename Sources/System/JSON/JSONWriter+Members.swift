// Whole members of an object. An absent value writes nothing.
extension JSONWriter {
    package mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    package mutating func member(_ name: String, _ flag: Bool?) {
        guard let flag else { return }
        key(name)
        bool(flag)
    }

    package mutating func member(_ name: String, _ number: Int?) {
        member(name, number.map { Int64($0) })
    }

    package mutating func member(_ name: String, _ number: Int64?) {
        guard let number else { return }
        key(name)
        int64(number)
    }

    package mutating func member(_ name: String, _ number: Double?) {
        guard let number else { return }
        key(name)
        double(number)
    }

    package mutating func member(_ name: String, _ texts: [String]?) {
        guard let texts else { return }
        array(name, texts) { $0.string($1) }
    }

    /// `"name": [ … ]`, what `write` writes of each element.
    package mutating func array<Element>(
        _ name: String, _ elements: some Sequence<Element>,
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements { write(&self, element) }
        endArray()
    }

    /// `"name": [{ … }]`, what `write` writes of each element between the brackets of its object.
    package mutating func objects<Element>(
        _ name: String, _ elements: some Sequence<Element>,
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        array(name, elements) { writer, element in writer.object { write(&$0, element) } }
    }

    /// `{ … }`, what `write` writes between the brackets.
    package mutating func object(_ write: (inout JSONWriter) -> Void) {
        beginObject()
        write(&self)
        endObject()
    }

    /// `"name": { … }`
    package mutating func object(_ name: String, _ write: (inout JSONWriter) -> Void) {
        key(name)
        object(write)
    }
}
