extension Writer {
    mutating func add(_ intent: Intent) throws(UnknownType) {
        guard let codes = intent.codes else { return }
        try addClass(intent)
        try addResponse(intent, codes)
        add(
            Cases(
                documentation: ["How the handling of an ``\(intent.name)`` went."],
                name: codes.name, first: codes.first, names: codes.names),
            conformances: "Int, Sendable, HandlingCode")
        addHandling(intent)
    }

    private mutating func addClass(_ intent: Intent) throws(UnknownType) {
        var body = Writer(types: types)
        let initializers =
            intent.initializers.isEmpty ? [Self.whole(intent.properties)] : intent.initializers
        for initializer in initializers where !initializer.parameters.isEmpty {
            body.add(
                initializer, of: intent.properties, start: "self.init()",
                documentation: "An intent with these values.")
        }
        try body.add(intent.properties)
        body.addParameters(intent.properties.map(\.name), of: intent.name)
        body.addTitles(intent)
        body.addPhases(intent)
        code.document(intent.documentation, or: Words.of(intent.name) + ".")
        code.block("public final class \(intent.name): INIntent") { code in
            for line in body.code.lines { code.add(line) }
        }
    }

    private mutating func addResponse(_ intent: Intent, _ codes: Cases) throws(UnknownType) {
        let name = intent.name + "Response"
        var body = Writer(types: types)
        let code = Parameter(label: nil, property: "code", type: codes.name, initially: nil)
        body.add(
            Initializer(mayFail: false, parameters: intent.responseParameters + [code]),
            of: intent.responseProperties, start: "self.init()", documentation: "A response.",
            last: ("userActivity: NSUserActivity?", "self.userActivity = userActivity"))
        body.code.add("/// The result.")
        body.code.add("public var code: \(codes.name) { value(\"code\") ?? \(codes.fallback) }")
        try body.add(intent.responseProperties)
        body.addParameters(["code"] + intent.responseProperties.map(\.name), of: name)
        body.code.add(
            "public override var handlingStatus: INIntentHandlingStatus { code.handlingStatus }")
        self.code.add("/// The app's response to an ``\(intent.name)``.")
        self.code.block("public final class \(name): INIntentResponse") { code in
            for line in body.code.lines { code.add(line) }
        }
    }

    /// The parameters that a donation and an archive keep.
    private mutating func addParameters(_ names: [String], of type: String) {
        guard !names.isEmpty else { return }
        code.block("public override class var donationParameters: [INParameterTable.Entry]") {
            code in
            let entries = names.map { ".init(stored: \"\($0)\", \\\(type).\($0))" }
            code.add("[\(entries.joined(separator: ", "))]")
        }
    }

    private mutating func addTitles(_ intent: Intent) {
        guard !intent.titles.isEmpty else {
            let words = Words.of(intent.name)
            return code.add("override class var systemTitle: String? { \"\(words)\" }")
        }
        code.block(
            "public override class var donationCombinations: [INParameterTable.Combination]"
        ) { code in
            let entries = intent.titles.map { title in
                let names = title.parameters.map { "\"\($0)\"" }.joined(separator: ", ")
                return ".init([\(names)], title: \"\(title.text)\")"
            }
            code.add("[\(entries.joined(separator: ", "))]")
        }
    }

    /// Who carries out the three phases.
    private mutating func addPhases(_ intent: Intent) {
        code.block("public override func handlingPhases(of handler: Any) -> INIntentPhases?") {
            code in
            code.add(
                "guard let handler = handler as? any \(intent.name)Handling else { return nil }")
            code.add("return INIntentPhases(")
            code.add("    for: \(intent.name).self,")
            if !intent.resolutions.isEmpty {
                code.add("    resolving: [")
                for resolution in intent.resolutions {
                    code.add("        \"\(resolution.parameter)\": { intent, answer in")
                    code.add("            \(Self.question(resolution, intent.name))")
                    code.add("        },")
                }
                code.add("    ],")
            }
            code.add("    confirming: { handler.confirm(intent: $0, completion: $1) },")
            code.add("    handling: { handler.handle(intent: $0, completion: $1) })")
        }
    }

    /// How a handler is asked for one parameter: the newer method first, where there are two.
    private static func question(_ resolution: Resolution, _ intent: String) -> String {
        func asks(_ handler: String, _ result: String) -> String {
            "{ (done: @escaping @Sendable (\(result)) -> Void) in "
                + "\(handler).\(resolution.method)(for: intent, with: done) }"
        }
        let newer = asks("handler", resolution.result)
        let older = resolution.older.map {
            ", or: " + asks("(handler as any \(intent)HandlingBefore)", $0)
        }
        return "HandlerForms.resolve(\(newer)\(older ?? ""), answer: answer)"
    }
}
