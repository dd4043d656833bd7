/// One thing that is not as it is said, as a value.
package struct Lie: Sendable {
    package var spot: Spot
    package var moment: Moment
    package var kind: Kind

    package init(_ spot: Spot, _ moment: Moment, _ kind: Kind) {
        self.spot = spot
        self.moment = moment
        self.kind = kind
    }

    package var name: String { "\(spot.name) \(moment.name): \(kind.name)" }
}
