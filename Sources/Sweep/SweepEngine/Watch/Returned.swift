package import CloudModel
package import Evidence

/// What a watch's look found of what a run had swept.
package struct Returned: Sendable, Hashable {
    /// One place where something is again.
    package struct Row: Sendable, Hashable {
        package let container: Container.ID
        package let scope: Database.Scope
        package let kind: CoverageRow.Kind
        /// Things that are there.
        package let left: Int
        /// Those of them that hold no data: zones without a record, and subscriptions.
        package let withoutData: Int
    }

    package let rows: [Row]
    /// The devices that wrote what is there, as the service calls them, sorted; at most
    /// ``LookFacts/devicesMax``. For the operator's screen; evidence has keyed digests.
    package let devices: [String]
    /// What it comes to, as the evidence says it; nil until that is written.
    package internal(set) var found: LookFacts.Found?
    /// The addendum that says so.
    package internal(set) var addendum: String?

    /// One sentence for people; nil when nothing is there again.
    var explanation: String? {
        let left = rows.reduce(0) { $0 + $1.left }
        guard left > 0 else { return nil }
        let things = "\(left) \(left == 1 ? "item" : "items") returned"
        guard rows.contains(where: { $0.left > $0.withoutData }) else {
            return "recreated, empty: \(things), without data"
        }
        return "recreated, with data: \(things)"
    }
}
