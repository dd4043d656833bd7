import Basics

extension Schema {
    /// Reads a `.ckdb` file.
    ///
    /// - Parameter checksNames: Whether rights of roles that are not created, and system fields of
    ///   another type, are refused; not where a store reads what it took when it was younger.
    /// - Throws: With the line and column of the first thing that is wrong.
    /// - SeeAlso: <https://developer.apple.com/documentation/cloudkit/integrating-a-text-based-schema-into-your-workflow>
    package init(parsing text: String, checksNames: Bool = true) throws(SchemaError) {
        guard text.utf8.count <= SchemaParser.bytesMax else {
            throw SchemaError(
                line: 1, column: 1, found: "A file larger than \(SchemaParser.bytesMax) bytes",
                expected: [])
        }
        var parser = try SchemaParser(text, checksNames: checksNames)
        self = try parser.schema()
    }
}

/// Reads the CloudKit Schema Language, one word ahead.
struct SchemaParser {
    static let bytesMax = 4 << 20

    private let checksNames: Bool
    private var lexer: SchemaLexer
    private var token: SchemaLexer.Token
    /// The roles that are given rights, and where.
    private var grantees: [SchemaLexer.Token] = []

    init(_ text: String, checksNames: Bool = true) throws(SchemaError) {
        self.checksNames = checksNames
        lexer = SchemaLexer(text)
        token = try lexer.next()
    }

    mutating func schema() throws(SchemaError) -> Schema {
        try expect("DEFINE")
        try expect("SCHEMA")
        var schema = Schema()
        var names: Set<String> = []
        var roles: Set<String> = []
        while token.kind != .end {
            if isWord("CREATE") {
                try advance()
                try expect("ROLE")
                let place = token
                let role = try name("a role's name")
                guard roles.insert(role).inserted else {
                    throw wrong(place, "Role \"\(role)\" is there twice")
                }
                schema.roles.append(role)
            } else if isWord("RECORD") {
                schema.recordTypes.append(try recordType(&names))
            } else {
                throw unexpected(["CREATE", "RECORD", "the end of the file"])
            }
            try mark(";")
        }
        if checksNames { try checkGrantees(roles) }
        return schema
    }

    /// Roles may be made below the types that name them.
    private func checkGrantees(_ roles: Set<String>) throws(SchemaError) {
        let known = roles.union(Schema.SystemRole.allCases.map(\.rawValue))
        guard let place = grantees.first(where: { !known.contains($0.text) }) else { return }
        let nearest = NearestName.closest(to: place.text, among: known.sorted()) ?? ""
        throw wrong(place, "Role \"\(place.text)\" is not created (nearest: \"\(nearest)\")")
    }

    private mutating func recordType(
        _ names: inout Set<String>
    ) throws(SchemaError) -> Schema.RecordType {
        try expect("RECORD")
        try expect("TYPE")
        let place = token
        var type = Schema.RecordType(name: try name("a record type's name"))
        guard names.insert(type.name).inserted else {
            throw wrong(place, "Record type \"\(type.name)\" is there twice")
        }
        try mark("(")
        var fields: Set<String> = []
        while true {
            if isWord("GRANT") {
                type.grants.append(try grant())
            } else {
                let place = token
                let field = try field()
                guard fields.insert(field.name).inserted else {
                    throw wrong(place, "Field \"\(field.name)\" is there twice")
                }
                type.fields.append(field)
            }
            if isMark(",") {
                try advance()
                continue
            }
            guard isMark(")") else {
                throw unexpected([",", ")", "QUERYABLE", "SORTABLE", "SEARCHABLE"])
            }
            try advance()
            return type
        }
    }

    private mutating func field() throws(SchemaError) -> Schema.SchemaField {
        let place = token
        let name = try name("a field's name")
        var isList = false
        if isWord("LIST") {
            isList = true
            try advance()
            try mark("<")
        }
        let (kind, isEncrypted) = try scalar()
        if isList { try mark(">") }
        if checksNames, let system = Schema.systemFields.first(where: { $0.name == name }) {
            guard kind == system.kind, !isList, !isEncrypted else {
                throw wrong(
                    place, "System field \"\(name)\" of another type than \(system.kind.rawValue)")
            }
        }
        var indexes: Set<Schema.Index> = []
        while token.kind == .word, let index = Schema.Index(rawValue: token.text.uppercased()) {
            guard !isEncrypted else {
                throw wrong(token, "An encrypted field cannot have an index")
            }
            indexes.insert(index)
            try advance()
        }
        return Schema.SchemaField(
            name: name, kind: kind, isList: isList, isEncrypted: isEncrypted, indexes: indexes)
    }

    private static let kinds: [String: FieldValue.Kind] = [
        "ASSET": .asset, "BYTES": .bytes, "DOUBLE": .double, "INT64": .int64,
        "LOCATION": .location, "REFERENCE": .reference, "STRING": .string,
        "TIMESTAMP": .timestamp,
    ]

    private mutating func scalar() throws(SchemaError) -> (FieldValue.Kind, Bool) {
        if isWord("NUMBER") { return (try number(), false) }
        let isEncrypted = isWord("ENCRYPTED")
        if isEncrypted { try advance() }
        let word = token.text.uppercased()
        guard token.kind == .word, let kind = Self.kinds[word],
            !isEncrypted || kind != .asset && kind != .reference
        else {
            let names = Self.kinds.keys.sorted()
            throw unexpected(
                isEncrypted
                    ? names.filter { $0 != "ASSET" && $0 != "REFERENCE" }
                    : names + ["ENCRYPTED", "LIST", "NUMBER"])
        }
        try advance()
        return (kind, isEncrypted)
    }

    /// A number field made by saving a record: a whole number unless it prefers otherwise.
    private mutating func number() throws(SchemaError) -> FieldValue.Kind {
        try advance()
        guard isWord("PREFERRED") else { return .int64 }
        try advance()
        try expect("AS")
        guard isWord("INT64") || isWord("DOUBLE") else { throw unexpected(["INT64", "DOUBLE"]) }
        let kind: FieldValue.Kind = isWord("INT64") ? .int64 : .double
        try advance()
        return kind
    }

    private mutating func grant() throws(SchemaError) -> Schema.Grant {
        try advance()
        var rights: Set<Schema.Right> = []
        while true {
            guard token.kind == .word, let right = Schema.Right(rawValue: token.text.uppercased())
            else { throw unexpected(["READ", "CREATE", "WRITE"]) }
            rights.insert(right)
            try advance()
            guard isMark(",") else { break }
            try advance()
        }
        try expect("TO")
        grantees.append(token)
        return Schema.Grant(rights: rights, role: try name("a role's name"))
    }

    // MARK: - Words

    private mutating func advance() throws(SchemaError) { token = try lexer.next() }

    private func isWord(_ word: String) -> Bool {
        token.kind == .word && token.text.uppercased() == word
    }

    private func isMark(_ mark: String) -> Bool { token.kind == .mark && token.text == mark }

    private mutating func expect(_ word: String) throws(SchemaError) {
        guard isWord(word) else { throw unexpected([word]) }
        try advance()
    }

    private mutating func mark(_ mark: String) throws(SchemaError) {
        guard isMark(mark) else { throw unexpected([mark]) }
        try advance()
    }

    private mutating func name(_ what: String) throws(SchemaError) -> String {
        guard token.kind == .word || token.kind == .quoted else { throw unexpected([what]) }
        let name = token.text
        try advance()
        return name
    }

    private func unexpected(_ expected: [String]) -> SchemaError {
        SchemaError(
            line: token.line, column: token.column, found: token.description, expected: expected)
    }

    private func wrong(_ token: SchemaLexer.Token, _ text: String) -> SchemaError {
        SchemaError(line: token.line, column: token.column, found: text, expected: [])
    }
}
