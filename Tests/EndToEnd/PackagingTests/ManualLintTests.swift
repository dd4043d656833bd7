import Basics
import CommandTable
import Foundation
import Testing
import ToolRunner

/// Pages of the manual as `mandoc` reads them, which scripts/test installs.
struct ManualLintTests {
    private func mandoc(_ arguments: [String], _ page: [UInt8]) throws -> Tool.Ended {
        try Tool.run("/usr/bin/mandoc", arguments, input: page, errors: .joined)
    }

    @Test(arguments: ManualPage.allCases)
    func `mandoc has nothing to warn of`(page: ManualPage) throws {
        let ended = try Tool.run(
            Tool.built("cksweep"), ["help", "--as", "mdoc", page.rawValue])
        try #require(ended.status == 0)
        let lint = try mandoc(["-T", "lint", "-W", "warning"], ended.output)
        #expect(lint.status == 0 && lint.text.isEmpty, "\(lint.text)")
    }

    @Test func `whatever a table says is shown as it is`() throws {
        let words = [
            ".so /etc/passwd", "'br", "\\fBbold\\fR", "a\\", "\"quoted\" it's", "e.g. Apple. Next",
            "--max-duration", "Fl", "…→", "~/.local", "a^b`c",
        ]
        let verb = Verb(
            "odd", "do odd things", discussion: words,
            positionals: [.init(.text("Fl"), .one, "'hm")],
            options: [Option("no-such", short: "n", value: .text("A|B"), ".Sh NAME")],
            examples: [.init("cksweep odd --n 'x' \"y\" \\z", ".TH")],
            sections: [.init("\\n", [(".", "Pp")])])
        let facts = ManualPage.Facts(
            verbs: [verb], version: "1 \"x\"", date: CivilDate(daysSince1970: 0), keys: [])
        let page = Array(ManualPage.command.text(facts).utf8)
        let lint = try mandoc(["-T", "lint", "-W", "warning"], page)
        #expect(lint.text.isEmpty, "\(lint.text)")
        let shown = try mandoc(["-T", "utf8", "-O", "width=200"], page).text
            .replacing(try Regex(".\u{8}"), with: "").replacing(".  ", with: ". ")
        let others = [
            "cksweep odd Fl [OPTIONS]", "cksweep odd --n 'x' \"y\" \\z", ".Sh NAME.", "# .TH",
        ]
        for word in words + others {
            #expect(shown.contains(word), "\(word)")
        }
    }
}
