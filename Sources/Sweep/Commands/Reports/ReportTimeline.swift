import Basics
import CommandLine
import SweepEngine

/// When a run looked, deleted and looked again: a line with its passes on it, and the same in words.
struct ReportTimeline: Sendable {
    /// Passes that are listed one by one.
    private static let passesMax = 6

    private let began: Timestamp
    private let ended: Timestamp
    private let passes: [VerificationPass]
    private let planned: Timestamp?

    /// nil where the run has not ended.
    init?(_ report: SweepReport) {
        guard let began = report.began, let ended = report.ended, began <= ended else { return nil }
        self.began = began
        self.ended = ended
        passes = report.passes
        planned = report.plan?.created
    }

    var html: String {
        var items = ["<li><b>\(Self.time(began))</b> started</li>"]
        if let planned, planned >= began, planned <= ended {
            items.append("<li><b>\(Self.time(planned))</b> plan made</li>")
        }
        for pass in passes.suffix(Self.passesMax) {
            items.append(
                "<li><b>\(Self.time(pass.began))</b> verification pass \(pass.number): "
                    + "\(Counts.some(pass.requests, "request")), \(Self.result(pass))</li>")
        }
        items.append("<li><b>\(Self.time(ended))</b> ended</li>")
        return svg + "\n<ol class=\"times\">" + items.joined(separator: "\n") + "</ol>"
    }

    private static func result(_ pass: VerificationPass) -> String {
        let found = pass.left == 0 ? "nothing found" : "\(TextTable.grouped(pass.left)) found"
        return pass.unread == 0 ? found : found + ", \(pass.unread) not readable"
    }

    /// `2026-11-18 11:06:40 UTC`, without fractions.
    static func time(_ moment: Timestamp) -> String {
        let text = moment.iso8601
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
    }

    private var svg: String {
        var marks = Self.mark("run", x: 0, y: 9, 1000, 2)
        for pass in passes {
            let x = place(pass.began)
            let width = max(6, place(pass.ended) - x)
            marks += Self.mark(
                pass.isClean ? "clean" : "failed", x: min(x, 1000 - width), y: 3, width, 14)
        }
        if let planned, planned >= began, planned <= ended {
            marks += Self.mark("plan", x: min(place(planned), 996), y: 0, 4, 20)
        }
        return #"<svg class="line" viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" "#
            + #"aria-label="The run from start to end, with its verification passes">\#(marks)</svg>"#
    }

    private static func mark(
        _ style: String, x: Int, y: Int, _ width: Int, _ height: Int
    ) -> String {
        #"<rect class="\#(style)" x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)"/>"#
    }

    /// Thousandths of the run's time, 0 to 1000.
    private func place(_ moment: Timestamp) -> Int {
        let whole = max(1, ended.milliseconds - began.milliseconds)
        let part = min(max(0, moment.milliseconds - began.milliseconds), whole)
        return Int(Double(part) / Double(whole) * 1000)
    }
}
