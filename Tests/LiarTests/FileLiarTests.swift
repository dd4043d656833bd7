import CloudCourier
import Liar
import SweepEngine
import Testing

/// The addresses of files, once their records are deleted: no answer but "gone" is taken for it, and what
/// still gives a file is left.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FileLiarTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var script: [FileAnswer]
        var address = FileAddress.real
        let statuses: Set<CloudCourier.ExitStatus>
        var isAsked = true

        var testDescription: String { name }

        init(
            _ name: String, _ script: [FileAnswer], at address: FileAddress = .real,
            _ statuses: CloudCourier.ExitStatus..., isAsked: Bool = true
        ) {
            self.name = name
            self.script = script
            self.address = address
            self.statuses = Set(statuses)
            self.isAsked = isAsked
        }
    }

    static let cases: [Case] = [
        Case("gone", [.status(404)], .done),
        Case("gone for good", [.status(410)], .done),
        Case("the file", [.file], .dataLeft),
        Case("the first byte of it", [.part], .dataLeft),
        Case("other bytes", [.otherBytes], .dataLeft),
        Case("an empty file", [.empty], .dataLeft),
        Case("no such range", [.status(416)], .dataLeft),
        Case("a body without an end", [.endless], .dataLeft, .partlyFailed),
        Case("the file in the first look, and then not", [.file, .status(404)], .done, .dataLeft),
        Case("nothing, and then a body that is cut", [.close, .cut], .partlyFailed, .dataLeft),
        Case("a body that is cut", [.cut], .partlyFailed, .dataLeft),
        Case("the end of the connection", [.close], .partlyFailed),
        Case("the end of the connection, and then gone", [.close, .status(404)], .done),
        Case("no answer", [.silence], .partlyFailed),
        Case("not modified", [.status(304)], .partlyFailed),
        Case("no content", [.status(204)], .partlyFailed, .dataLeft),
        Case("multiple choices", [.status(300)], .partlyFailed),
        Case(
            "elsewhere", [.status(302, ["Location": "https://localhost:1/elsewhere"])],
            .partlyFailed),
        Case("a bad request", [.status(400)], .partlyFailed),
        Case("nobody may", [.status(403)], .partlyFailed),
        Case(
            "nobody may until", [.status(403, ["Expires": "Thu, 01 Jan 2099 00:00:00 GMT"])],
            .partlyFailed),
        Case("sign in", [.status(401)], .partlyFailed),
        Case("not this way", [.status(405)], .partlyFailed),
        Case("an error", [.status(500)], .partlyFailed),
        Case("a bad gateway", [.status(502)], .partlyFailed),
        Case("later", [.status(503)], .partlyFailed),
        Case("later, and then gone", [.status(503, ["Retry-After": "2"]), .status(404)], .done),
        Case("later, and then the file", [.status(429), .file], .dataLeft),
        Case("an unknown status", [.status(299)], .partlyFailed, .dataLeft),
        Case("no address", [.status(404)], at: .missing, .partlyFailed, isAsked: false),
        Case("an empty address", [.status(404)], at: .other(""), .partlyFailed, isAsked: false),
        Case(
            "an address without TLS", [.status(404)], at: .other("http://localhost:1/x"),
            .partlyFailed, isAsked: false),
        Case(
            "an address of a file here", [.status(404)], at: .other("file:///etc/passwd"),
            .partlyFailed, isAsked: false),
        Case(
            "an address that nobody answers", [.status(404)], at: .other("https://localhost:1/x"),
            .partlyFailed, isAsked: false),
        Case("another address each time, all gone", [.status(404)], at: .new, .done),
        Case("another address each time, none gone", [.file], at: .new, .dataLeft),
    ]

    @Test(arguments: cases)
    func `nothing but gone is taken for gone`(row: Case) async throws {
        let verbs: [Row.Verb] = row.script.count == 1 ? [.sweep, .resume] : [.sweep]
        for verb in verbs {
            let files = FileHost(row.script, at: row.address)
            let result = try await Trial(Row(verb, []), files: files).result()
            let status = try #require(result.status, "\(verb): it hangs")
            #expect(row.statuses.contains(status), "\(verb): \(status): \(result.explanation)")
            #expect(result.verdict.left == [] && result.verdict.destroyed == [], "\(verb)")
            #expect((files.asked > 0) == row.isAsked, "\(verb): \(files.asked) times")
        }
    }
}
