/// A reference from one record to another, as it was made.
struct Edge: Sendable, Hashable {
    enum Action: String, Sendable {
        case none = "NONE"
        case deleteSelf = "DELETE_SELF"
        case validate = "VALIDATE"
    }

    let source: Thing
    let target: Thing
    let action: Action
}
