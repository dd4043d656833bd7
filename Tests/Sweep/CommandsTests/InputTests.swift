import AsyncOperations
import CommandLine
import Commands
import Foundation
import Host
import Testing

/// What is read from a terminal, and what is shown on one.
@Suite(.timeLimit(.minutes(30)))
struct InputTests {
    @Test func `a line is read up to its end, and the next stays`() async throws {
        let pipe = Pipe()
        let input = DescriptorInput(pipe.fileHandleForReading.fileDescriptor)
        try pipe.fileHandleForWriting.write(contentsOf: Data("first\r\nsecond\n".utf8))
        #expect(await input.line(within: .seconds(30)) == "first")
        #expect(await input.line(within: .seconds(30)) == "second")
        try pipe.fileHandleForWriting.close()
        #expect(await input.line(within: .seconds(30)) == nil)
    }

    @Test func `when time is up there is no line, whatever was begun`() async throws {
        let pipe = Pipe()
        let input = DescriptorInput(pipe.fileHandleForReading.fileDescriptor)
        #expect(await input.line(within: .milliseconds(5)) == nil)
        try pipe.fileHandleForWriting.write(contentsOf: Data("delete 6 zo".utf8))
        #expect(await input.line(within: .milliseconds(5)) == nil)
    }

    @Test func `a line without an end is given up`() async throws {
        let pipe = Pipe()
        let input = DescriptorInput(pipe.fileHandleForReading.fileDescriptor)
        let text = String(repeating: "x", count: 5000)
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        #expect(await input.line(within: .seconds(30)) == nil)
    }

    @Test(arguments: [
        ("Ideas & drafts (2024)", "Ideas & drafts (2024)"), ("Überraschung 家族", "Überraschung 家族"),
        ("👩‍👧", "👩‍👧"), ("a\u{1B}[31mb", "a\\u{1B}[31mb"), ("a\nb\tc\u{7}", "a\\u{A}b\\u{9}c\\u{7}"),
        ("\u{9B}31m", "\\u{9B}31m"), ("\u{202E}txt.exe", "\\u{202E}txt.exe"),
        ("a\u{2028}b", "a\\u{2028}b"), ("\u{200B}", "\\u{200B}"), ("", ""),
    ])
    func `what could play with a terminal is written out`(text: String, shown: String) {
        #expect(Visible.text(text) == shown)
        #expect(Visible.text("\(text)\n", keepsLines: true).hasSuffix("\n"))
    }

    @Test func `nothing of a report plays with the terminal`() {
        var report = SampleReport.report(.partlyFailed, "the server says \u{1B}]0;title\u{7}")
        report.rows = SampleReport.row(
            SampleReport.app, .customZones, .unproven, subject: "\u{1B}[2J",
            reason: "\u{1B}[1A")
        report.allowPartial = "\u{1B}c"
        report.failureCount = 1
        if let app = SampleReport.app {
            report.failures = [
                .init(
                    container: app, scope: .private, kind: .customZones, name: "\u{9B}2J",
                    code: .accessDenied, reason: "\u{202E}")
            ]
        }
        let style = Style(isColored: false, columns: 200)
        let lines = SummaryText(report, style).lines + VerdictText(report).lines(style)
        let text = lines.joined(separator: "\n") + ReportText(report, style).text
        let bad = text.unicodeScalars.filter {
            $0.properties.generalCategory == .control && $0 != "\n" || $0 == "\u{202E}"
        }
        #expect(bad.isEmpty, "\(text)")
        for shown in ["\\u{1B}]0;title", "\\u{1B}[2J", "\\u{1B}[1A", "\\u{1B}c", "\\u{9B}2J"] {
            #expect(text.contains(shown))
        }
    }
}
