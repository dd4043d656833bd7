/// Reads what a table describes.
struct TableReader {
    private let file: String
    private var table: Table

    /// The table that `text` holds.
    static func table(_ text: String, file: String) throws(TableError) -> Table {
        var reader = TableReader(file: file, table: Table())
        for entry in try TableText(text, file: file).entries { try reader.take(entry) }
        return reader.table
    }

    private mutating func take(_ entry: TableText.Entry) throws(TableError) {
        var line = LineReader(entry.head, file: file)
        if line.takes("intent") {
            return table.intents.append(try intent(line.takeAll(), entry))
        }
        if line.takes("value") {
            let names = line.takeAll().split(separator: ": ", maxSplits: 1).map(String.init)
            let parent = names.count == 2 ? names[1] : nil
            return table.values.append(try value(names[0], parent: parent, entry))
        }
        guard entry.parts.isEmpty else {
            throw line.wrong("only an intent and a value have parts")
        }
        if line.takes("enum") {
            table.cases.append(try cases(&line))
        } else if line.takes("options") {
            let (name, names) = try line.takeNamed()
            table.bits.append(
                Bits(
                    documentation: entry.head.documentation, name: name, names: Self.words(names)))
        } else if line.takes("fallback") {
            let (type, text) = try line.takeNamed()
            table.fallbacks[type] = text
        } else if line.takes("result") {
            table.results.append(try result(&line))
        } else {
            throw line.wrong(
                "begins with none of intent, value, enum, options, result, fallback: "
                    + "“\(line.rest)”")
        }
    }

    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }

    /// `NAME [from 1]: first second …`
    private func cases(_ line: inout LineReader) throws(TableError) -> Cases {
        let (head, names) = try line.takeNamed()
        let parts = Self.words(head)
        guard parts.count == 1 || (parts.count == 3 && parts[1] == "from"),
            let first = parts.count == 3 ? Int(parts[2]) : 0
        else { throw line.wrong("an enumeration is written NAME [from NUMBER]: CASES") }
        return Cases(
            documentation: line.line.documentation, name: parts[0], first: first,
            names: Self.words(names))
    }

    /// `choice|constant|plain|reason NAME: SUBJECT`
    private func result(_ line: inout LineReader) throws(TableError) -> ResolutionResult {
        for kind in ResolutionResult.Kind.allCases where line.takes(kind.rawValue) {
            let (name, subject) = try line.takeNamed()
            return ResolutionResult(kind: kind, name: name, subject: subject)
        }
        throw line.wrong("a result is a choice, a constant, a plain value or a reason")
    }

    private func intent(
        _ name: String, _ entry: TableText.Entry
    ) throws(TableError) -> Intent {
        var intent = Intent(documentation: entry.head.documentation, name: name)
        for part in entry.parts {
            var line = LineReader(part, file: file)
            if line.takes("init") {
                intent.initializers.append(
                    Initializer(mayFail: false, parameters: try line.takeParameters()))
            } else if line.takes("resolve") {
                guard let parameter = line.take(before: " -> ")
                else { throw line.wrong("a resolution is written NAME -> RESULT") }
                intent.resolutions.append(try line.takeResults(of: parameter))
            } else if line.takes("title") {
                let (parameters, text) = try line.takeNamed()
                intent.titles.append(Title(parameters: Self.words(parameters), text: text))
            } else if line.takes("codes") {
                let name = line.take(before: ": ") ?? name + "ResponseCode"
                intent.codes = Cases(
                    documentation: [], name: name, first: 0, names: Self.words(line.takeAll()))
            } else if line.takes("updates") {
                intent.updates = line.takeAll()
            } else if line.takes("response") {
                if line.takes("init") {
                    intent.responseParameters = try line.takeParameters()
                } else {
                    let isConstant = line.takes("let")
                    intent.responseProperties.append(
                        try line.takeProperty(isSettable: !isConstant).property)
                }
            } else {
                let (property, resolution) = try line.takeProperty(isSettable: false)
                intent.properties.append(property)
                if let resolution { intent.resolutions.append(resolution) }
            }
        }
        guard intent.codes?.names.isEmpty == false else {
            throw LineReader(entry.head, file: file).wrong("\(name) has no codes")
        }
        return intent
    }

    private func value(
        _ name: String, parent: String?, _ entry: TableText.Entry
    ) throws(TableError) -> Value {
        var value = Value(documentation: entry.head.documentation, name: name, parent: parent)
        for part in entry.parts {
            var line = LineReader(part, file: file)
            if line.takes("init") || line.takes("init?") {
                value.initializers.append(
                    Initializer(
                        mayFail: part.words.hasPrefix("init?"),
                        parameters: try line.takeParameters()))
            } else {
                value.properties.append(try line.takeProperty(isSettable: false).property)
            }
        }
        return value
    }
}
