/// Which of the requests that a lie is about are answered with it.
///
/// Requests are counted for each database, operation and subject of their own, so that what runs
/// side by side does not decide which of them is lied to.
package enum Moment: Sendable, Hashable {
    case always
    /// The first.
    case once
    /// From this one on, counted from 1.
    case from(Int)
    /// All while the run is there.
    case during(Stage)
    /// The first while the run is there.
    case onceDuring(Stage)
    /// From this one on, counted from 1 since the run got there.
    case fromDuring(Int, Stage)
    /// All from the first verification pass on.
    case afterwards

    package var name: String {
        switch self {
        case .always: "always"
        case .once: "once"
        case .from(let number): "from request \(number)"
        case .during(let stage): "during \(stage.name)"
        case .onceDuring(let stage): "once during \(stage.name)"
        case .fromDuring(let number, let stage): "from request \(number) during \(stage.name)"
        case .afterwards: "after the deletion"
        }
    }

    /// - Parameters:
    ///   - count: Which request of its kind this is, from 1.
    ///   - countInStage: Which one since the stage began.
    func includes(_ count: Int, _ countInStage: Int, _ stage: Stage) -> Bool {
        switch self {
        case .always: true
        case .once: count == 1
        case .from(let number): count >= number
        case .during(let wanted): stage == wanted
        case .onceDuring(let wanted): stage == wanted && countInStage == 1
        case .fromDuring(let number, let wanted): stage == wanted && countInStage >= number
        case .afterwards: if case .pass = stage { true } else { false }
        }
    }
}
