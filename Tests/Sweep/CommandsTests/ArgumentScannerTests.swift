import Basics
import CommandLine
import Commands
import Configuration
import Testing

struct ArgumentScannerTests {
    static let file = Option("file", short: "f", value: .file, "")
    static let count = Option("count", short: "n", value: .number(1...9), "")
    static let tag = Option("tag", value: .text("T"), repeats: true, "")
    static let wait = Option("wait", value: .duration, "")
    static let room = Option("room", value: .size(1 << 20...1 << 40), "")
    static let form = Option("form", value: .choice(["text", "json"]), "")
    static let loud = Option("loud", short: "l", "")
    static let quiet = Option("quiet", short: "q", "")
    static let verb = Verb(
        "probe", "a verb for tests",
        positionals: [Positional(.text("A"), .one, ""), Positional(.text("B"), .optional, "")],
        options: [file, count, tag, wait, room, form, loud, quiet])
    static let runner = Verb(
        "runner", "a verb that runs a command",
        positionals: [Positional(.text("CMD"), .command, "")], options: [file])

    @Test(arguments: [
        (["x", "--file", "p"], "p"), (["x", "--file=p"], "p"), (["x", "-f", "p"], "p"),
        (["x", "-fp"], "p"), (["-lf", "p", "x"], "p"), (["--file=", "x"], ""),
        (["x", "--file=a=b"], "a=b"), (["x", "-f", "-"], "-"),
    ])
    func `a value can be attached or follow`(words: [String], value: String) throws {
        guard !value.isEmpty else {
            #expect(throws: UsageError("--file is empty")) {
                try ArgumentScanner.scan(words, for: Self.verb, of: "cksweep")
            }
            return
        }
        let arguments = try ArgumentScanner.scan(words, for: Self.verb, of: "cksweep")
        #expect(arguments.text(Self.file) == value)
        #expect(arguments.positionals == ["x"])
    }

    @Test func `switches can be bundled`() throws {
        let arguments = try ArgumentScanner.scan(["-lq", "x"], for: Self.verb, of: "cksweep")
        #expect(arguments.has(Self.loud) && arguments.has(Self.quiet))
    }

    @Test func `after two dashes nothing is an option`() throws {
        let arguments = try ArgumentScanner.scan(
            ["--", "--loud", "-f"], for: Self.verb, of: "cksweep")
        #expect(arguments.positionals == ["--loud", "-f"])
        #expect(!arguments.has(Self.loud))
    }

    @Test func `a command after two dashes stays as it is`() throws {
        let words = ["--file", "p", "--", "make", "--file", "q", "--", "-x"]
        let arguments = try ArgumentScanner.scan(words, for: Self.runner, of: "cksweep")
        #expect(arguments.command == ["make", "--file", "q", "--", "-x"])
        #expect(arguments.text(Self.file) == "p")
    }

    @Test func `a repeated option keeps its order`() throws {
        let arguments = try ArgumentScanner.scan(
            ["x", "--tag", "1", "--tag=2"], for: Self.verb, of: "cksweep")
        #expect(arguments.texts(Self.tag) == ["1", "2"])
    }

    @Test(arguments: [
        (["x", "--fil", "p"], "\"probe\" has no option --fil; did you mean --file?"),
        (["x", "--elephant"], "\"probe\" has no option --elephant"),
        (["x", "-z"], "\"probe\" has no option -z"),
        (["x", "--file"], "--file needs FILE"),
        (["x", "--file", "--loud"], "--file needs FILE"),
        (["x", "-f", "-l"], "-f needs FILE"),
        (["x", "--loud=yes"], "--loud takes no value"),
        (["x", "--loud", "-l"], "-l is given twice"),
        (["x", "--file", "a", "--file", "b"], "--file is given twice"),
        (["x", "-n", "0"], "-n is \"0\"; expected a whole number from 1 to 9"),
        (["x", "-n", "two"], "-n is \"two\"; expected a whole number from 1 to 9"),
        (
            ["x", "--wait", "5 minutes"],
            "--wait is \"5 minutes\"; expected a duration such as 90s, 15m or 1h30m"
        ),
        (
            ["x", "--room", "5"],
            "--room is \"5\"; expected a size such as 256MiB, from 1MiB to 1024GiB"
        ),
        (
            ["x", "--room", "2048GiB"],
            "--room is \"2048GiB\"; expected a size such as 256MiB, from 1MiB to 1024GiB"
        ),
        (
            ["x", "--room", "9999999999999999GiB"],
            "--room is \"9999999999999999GiB\"; expected a size such as 256MiB, from 1MiB to "
                + "1024GiB"
        ),
        (
            ["x", "--room", "1.5MiB"],
            "--room is \"1.5MiB\"; expected a size such as 256MiB, from 1MiB to 1024GiB"
        ),
        (
            ["x", "--form", "jsn"],
            "--form is \"jsn\"; expected one of text, json; did you mean \"json\"?"
        ),
        ([], "\"probe\" needs A"),
        (["x", "y", "z"], "\"probe\" does not take \"z\""),
        (["x", ""], "B is empty"),
    ])
    func `a slip is named`(words: [String], message: String) throws {
        let error = try #require(throws: UsageError.self) {
            try ArgumentScanner.scan(words, for: Self.verb, of: "cksweep")
        }
        #expect(error.message == message)
        // Where no name is near, there is a page that has them all.
        let isFar = message.contains("has no option") && !message.contains("did you mean")
        #expect((error.remedy == "\"cksweep help probe\" lists its options") == isFar)
    }

    @Test(arguments: [
        ("1048576", 1 << 20), ("1024KiB", 1 << 20), ("256MiB", 256 << 20), ("2GiB", 2 << 30),
    ])
    func `sizes are read`(text: String, bytes: Int) throws {
        let arguments = try ArgumentScanner.scan(
            ["x", "--room", text], for: Self.verb, of: "cksweep")
        #expect(arguments.size(Self.room) == bytes)
    }

    @Test func `a command must come after two dashes`() {
        #expect(throws: UsageError("\"runner\" needs a command after --")) {
            try ArgumentScanner.scan([], for: Self.runner, of: "cksweep")
        }
        #expect(
            throws: UsageError(
                "\"runner\" does not take \"make\"", remedy: "write the command to run after --")
        ) {
            try ArgumentScanner.scan(["make"], for: Self.runner, of: "cksweep")
        }
    }

    @Test func `help is asked for without the rest`() throws {
        let arguments = try ArgumentScanner.scan(["--help"], for: Self.verb, of: "cksweep")
        #expect(arguments.has(CommonOptions.help))
    }

    @Test(arguments: [
        ("90", 90_000), ("0", 0), ("250ms", 250), ("90s", 90_000), ("15m", 900_000),
        ("1h30m", 5_400_000), ("1d", 86_400_000), ("2m5s10ms", 125_010), ("2w1d", 1_296_000_000),
    ])
    func `times are read`(text: String, milliseconds: Int64) {
        #expect(DurationText.parse(text) == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "-1", "+1", "1.5s", "s", "5x", "30m1h", "1h1h", "99999999999999999999", "400d", "1 s",
        "٣s",
    ])
    func `what is no time is refused`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(arguments: [
        (Duration.milliseconds(0), "0 ms"), (.milliseconds(999), "999 ms"),
        (.milliseconds(4250), "4.2 s"), (.seconds(61), "1 min 01 s"),
        (.seconds(7800), "2 h 10 min"), (.seconds(-3), "0 ms"),
    ])
    func `times are written for people`(time: Duration, text: String) {
        #expect(DurationText.render(time) == text)
    }

    @Test(
        arguments: [
            ("swep", "sweep"), ("plna", "plan"), ("verfiy", "verify"), ("comp", "completions"),
            ("SWEEP", "sweep"), ("elephant", nil), ("", nil),
        ] as [(String, String?)])
    func `the nearest name is found`(typed: String, meant: String?) {
        let names = ["plan", "sweep", "verify", "completions", "runs"]
        #expect(NearestName.find(typed, among: names) == meant)
    }
}
