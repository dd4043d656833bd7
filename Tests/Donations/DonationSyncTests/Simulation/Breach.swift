/// Something that must never be, was.
struct Breach: Error, CustomStringConvertible {
    /// What was broken: `I1` … `I12` of the donations, `5.8-11` and so on of the sync.
    var invariant: String
    var device: Int?
    var detail: String

    init(_ invariant: String, device: Int? = nil, _ detail: String) {
        self.invariant = invariant
        self.device = device
        self.detail = detail
    }

    var description: String {
        "\(invariant)\(device.map { " on device \($0)" } ?? ""): \(detail)"
    }
}
