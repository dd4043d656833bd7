/// One method of a handler, which an app writes with a completion or `async`.
private struct Method {
    let name: String
    /// What the intent is called, and its class.
    let label: String
    let intent: String
    /// What the completion is called.
    let completion: String
    let answer: String
    let documentation: String
    /// What is answered when the app has neither form.
    let missing: String
    /// Whether another method with a newer result replaces it.
    var isOlder = false

    /// The name by which the two forms know each other.
    var key: String { isOlder ? name + " before" : name }

    private var argument: String { (label == "for" ? "for intent" : "intent") + ": " + intent }
    var withCompletion: String {
        let completion = completion == "with" ? "with completion" : "completion"
        return "func \(name)(\(argument), \(completion): "
            + "@escaping @Sendable (\(answer)) -> Void)"
    }
    var async: String { "func \(name)(\(argument)) async -> \(answer)" }
    /// A call, up to what follows the intent.
    var call: String { "\(name)(\(label): intent" }
}

extension Writer {
    mutating func addHandling(_ intent: Intent) {
        let name = intent.name
        let methods = Self.methods(of: intent)
        let older = methods.filter(\.isOlder)
        if !older.isEmpty {
            // In a protocol of their own: two methods that differ in their result alone cannot be
            // told apart where one result refines the other.
            code.add("/// Methods of an ``\(name)Handling`` that newer ones replace.")
            code.add("///")
            code.add("/// Not in Apple's interface, where one protocol has them all.")
            addProtocol("\(name)HandlingBefore", older) { _ in }
        }
        code.add("/// Handles an ``\(name)``.")
        code.add("///")
        code.add(
            "/// Each method may be written with a completion or `async`; only `handle` must be "
                + "there.")
        addProtocol(
            "\(name)Handling", refining: older.isEmpty ? nil : "\(name)HandlingBefore",
            methods.filter { !$0.isOlder }
        ) { code in
            guard intent.updates != nil else { return }
            code.add("/// Notifies `observer` of each change from now on.")
            code.add(
                "func startSendingUpdates(for intent: \(name), "
                    + "to observer: any \(name)ResponseObserver)")
            code.add("/// Stops the notifications.")
            code.add("func stopSendingUpdates(for intent: \(name))")
        }
        guard let updates = intent.updates else { return }
        code.add("/// Receives changes of a requested ride or order.")
        code.block("public protocol \(name)ResponseObserver: NSObjectProtocol") { code in
            code.add("/// The status changed.")
            code.add("func didUpdate(\(updates) response: \(name)Response)")
        }
    }

    /// A protocol whose methods each have two forms, each of which answers for the other.
    private mutating func addProtocol(
        _ name: String, refining parent: String? = nil, _ methods: [Method],
        more: (inout SwiftCode) -> Void
    ) {
        let refined = parent.map { ": " + $0 } ?? ""
        code.block("@preconcurrency public protocol \(name)\(refined)") { code in
            for method in methods {
                code.add("/// \(method.documentation)")
                code.add(method.withCompletion)
                code.add("/// \(method.documentation)")
                code.add(method.async)
            }
            more(&code)
        }
        code.block("extension \(name)") { code in
            for method in methods {
                code.add("/// Asks the other form.")
                code.block("public \(method.withCompletion)") { code in
                    code.add(
                        "HandlerForms.answer(\"\(method.key)\", intent, completion, "
                            + "missing: \(method.missing)) "
                            + "{ await \(method.call)) as \(method.answer) }")
                }
                code.add("/// Asks the other form.")
                code.block("public \(method.async)") { code in
                    code.add(
                        "await HandlerForms.wait(\"\(method.key)\", intent) "
                            + "{ (done: @escaping @Sendable (\(method.answer)) -> Void) in "
                            + "\(method.call), \(method.completion): done) } "
                            + "?? \(method.missing)")
                }
            }
        }
    }

    private static func methods(of intent: Intent) -> [Method] {
        let answer = intent.name + "Response"
        var methods = [
            Method(
                name: "handle", label: "intent", intent: intent.name, completion: "completion",
                answer: answer, documentation: "Performs the intent.", missing: ".unhandled()"),
            Method(
                name: "confirm", label: "intent", intent: intent.name, completion: "completion",
                answer: answer, documentation: "Checks whether the intent can be performed.",
                missing: ".agreed()"),
        ]
        for resolution in intent.resolutions {
            for result in [resolution.result, resolution.older].compactMap({ $0 }) {
                methods.append(
                    Method(
                        name: resolution.method, label: "for", intent: intent.name,
                        completion: "with", answer: result,
                        documentation: "Resolves `\(resolution.parameter)`.",
                        missing: result.hasPrefix("[") ? "[.absent()]" : ".absent()",
                        isOlder: result == resolution.older))
            }
        }
        return methods
    }
}
