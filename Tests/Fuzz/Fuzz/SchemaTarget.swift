import CloudModel

/// The schema language: what is read is written as a text that reads the same.
func fuzzSchema(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    guard let schema = try? Schema(parsing: text) else { return }
    precondition(
        (try? Schema(parsing: schema.text)) == schema, "what we write is read as something else")
    precondition((try? Schema(parsing: text, checksNames: false)) == schema, "a check changes it")
}
