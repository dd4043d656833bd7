import JSON
import MockFaults

/// A fault in its text form: what is read is written as a text and as JSON that read the same.
func fuzzFaults(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    do throws(FaultError) {
        checkForms(of: try FaultRule(id: "a", text: text))
    } catch {
        checkPlace(of: error, in: input.count)
    }
}

/// A fault in its JSON form.
func fuzzFaultJSON(_ input: [UInt8]) {
    guard let document = try? JSONDocument.parse(input),
        let rule = try? FaultRule(json: document.root, id: "a")
    else { return }
    checkForms(of: rule)
}

/// A file of faults: each rule has a name of its own, and a line that is wrong is told of.
func fuzzFaultFiles(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    do throws(FaultError) {
        let script = try FaultScript(text, called: "file")
        precondition(
            Set(script.rules.map(\.id)).count == script.rules.count, "two rules of one name")
        for rule in script.rules { checkForms(of: rule) }
    } catch {
        let lines = text.utf8.count { $0 == 0x0A } + 1
        precondition(
            error.line.map { (1...lines).contains($0) } ?? false, "no line, or a wrong one")
        checkPlace(of: error, in: text.utf8.count)
    }
}

private func checkForms(of rule: FaultRule) {
    precondition(
        (try? FaultRule(id: rule.id, text: rule.text)) == rule,
        "what we write is read as something else: \(rule.text)")
    var writer = JSONWriter()
    rule.write(to: &writer)
    guard let document = try? JSONDocument.parse(writer.bytes) else {
        preconditionFailure("what we write is no JSON")
    }
    precondition(
        (try? FaultRule(json: document.root, id: "b")) == rule,
        "what we write as JSON is read as something else: \(rule.text)")
}

private func checkPlace(of error: FaultError, in count: Int) {
    // What is no UTF-8 is read as more bytes.
    precondition(error.column.map { (1...3 * count + 1).contains($0) } ?? true, "no such column")
    precondition(!error.reason.isEmpty, "no reason")
}
