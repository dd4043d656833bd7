import CloudModel
import CommandLine
import DataExport

/// What two exports do not have in common, in words and for programs.
enum DifferenceText {
    /// One line.
    static func line(_ difference: ExportDifference) -> String {
        let sign =
            switch difference.change {
            case .added: "+"
            case .removed: "-"
            case .changed: "~"
            }
        let text =
            switch difference {
            case .item(_, let container, let scope, let zone, let name, let fields):
                [container.rawValue, scope.rawValue, zone, name].filter { !$0.isEmpty }
                    .map { Visible.text($0) }.joined(separator: " ")
                    + (fields.isEmpty
                        ? "" : " (" + fields.map { Visible.text($0) }.joined(separator: ", ") + ")")
            case .asset(_, let sha256, let bytes): "asset \(sha256), \(bytes) bytes"
            case .donations: "local donations"
            }
        return "\(sign) \(text)"
    }

    static func event(_ difference: ExportDifference) -> Event {
        let change = Event.Field("change", difference.change.rawValue)
        switch difference {
        case .item(_, let container, let scope, let zone, let name, let fields):
            return Event(
                "difference",
                [
                    change, .init("container", container.rawValue),
                    .init("database", scope.rawValue), .init("zone", zone), .init("name", name),
                    .init("fields", .list(fields.map { .text($0) })),
                ])
        case .asset(_, let sha256, let bytes):
            return Event(
                "difference",
                [change, .init("asset", sha256), .init("bytes", Int(bytes))])
        case .donations: return Event("difference", [change, .init("donations", true)])
        }
    }
}
