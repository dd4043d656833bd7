import JSON

/// A fault that was injected, and what it has done so far.
public struct MockFaultReport: Sendable, Hashable {
    /// The name that the journal calls it by.
    public let id: String
    /// Its text form.
    public let rule: String
    /// Requests that it is about.
    public let matched: Int
    /// How often it has happened.
    public let happened: Int

    init(_ value: JSONValue) {
        id = value["id"]?.string ?? ""
        rule = value["text"]?.string ?? ""
        matched = Int(value["matched"]?.int64 ?? 0)
        happened = Int(value["fired"]?.int64 ?? 0)
    }
}
