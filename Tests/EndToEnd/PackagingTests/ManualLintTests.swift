import Basics
import CommandLine
import Commands
import Foundation
import MockCommands
import Testing
import ToolRunner

/// Pages of the manual as `mandoc` reads them, which scripts/test installs.
struct ManualLintTests {
    private func mandoc(_ arguments: [String], _ page: [UInt8]) throws -> Tool.Ended {
        try Tool.run("/usr/bin/mandoc", arguments, input: page, errors: .joined)
    }

    @Test(
        arguments: [Program.cksweep, .cloudkitMock].flatMap { program in
            program.pages.map { (program.name, $0.name) }
        })
    func `mandoc has nothing to warn of`(program: String, page: String) throws {
        let ended = try Tool.run(Tool.built(program), ["help", "--as", "mdoc", page])
        try #require(ended.status == 0)
        let lint = try mandoc(["-T", "lint", "-W", "warning"], ended.output)
        #expect(lint.status == 0 && lint.text.isEmpty, "\(lint.text)")
    }

    @Test func `whatever a table says is shown as it is`() throws {
        let page = ManualPage("cksweep", "odd", description: [], .program(files: []))
        let program = Program(
            "cksweep", version: "1 \"x\"", summary: "", caution: "", commands: [OddCommand.self],
            firstSteps: .init("", []), groups: [], variables: [], exitCodes: [], pages: [page],
            commonOptions: [], names: { _, _, _ in [] })
        let text = page.text(of: program, date: CivilDate(daysSince1970: 0))
        let lint = try mandoc(["-T", "lint", "-W", "warning"], Array(text.utf8))
        #expect(lint.text.isEmpty, "\(lint.text)")
        let shown = try mandoc(["-T", "utf8", "-O", "width=200"], Array(text.utf8)).text
            .replacing(try Regex(".\u{8}"), with: "").replacing(".  ", with: ". ")
        let others = [
            "cksweep odd Fl [OPTIONS]", "cksweep odd --n 'x' \"y\" \\z", ".Sh NAME.", "# .TH",
        ]
        for word in OddCommand.words + others {
            #expect(shown.contains(word), "\(word)")
        }
    }
}

/// A verb whose texts are all that could be taken for macros.
private struct OddCommand: Command {
    static let words = [
        ".so /etc/passwd", "'br", "\\fBbold\\fR", "a\\", "\"quoted\" it's", "e.g. Apple. Next",
        "--max-duration", "Fl", "…→", "~/.local", "a^b`c",
    ]
    static let verb = Verb(
        "odd", "do odd things", discussion: words,
        positionals: [.init(.text("Fl"), .one, "'hm")],
        options: [Option("no-such", short: "n", value: .text("A|B"), ".Sh NAME")],
        examples: [.init("cksweep odd --n 'x' \"y\" \\z", ".TH")],
        sections: [.init("\\n", [(".", "Pp")])])

    init(arguments: Arguments) throws(UsageError) {}
    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult { .done }
}
