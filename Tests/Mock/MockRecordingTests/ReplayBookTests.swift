import MockRecording
import Testing

/// Which recorded answer a request gets.
struct ReplayBookTests {
    private static func book(
        _ exchanges: [RecordedExchange]
    ) throws -> (ReplayBook, RecordingFileTests.Folder) {
        let folder = try RecordingFileTests.Folder()
        try RecordingFileTests.write(exchanges, to: "a", in: folder)
        return (ReplayBook(try RecordingFile("a", folder.files)), folder)
    }

    private static let path = "/database/1/iCloud.a.b/development/private/records/query"

    private static func request(
        _ body: String, token: String = "T1", path: String = path, more: String = ""
    ) -> RecordedRequest {
        RecordedRequest(
            method: "POST", target: "\(path)?\(more)ckWebAuthToken=\(token)&ckAPIToken=A",
            caller: "", body: Array(body.utf8))
    }

    private static func number(
        _ book: inout ReplayBook, _ request: RecordedRequest
    ) -> Int? {
        guard case .exchange(let entry) = book.next(for: request, keyID: nil, hasCookies: false)
        else { return nil }
        return entry.number
    }

    private static func miss(_ book: inout ReplayBook, _ request: RecordedRequest) -> String {
        guard case .miss(let reason) = book.next(for: request, keyID: nil, hasCookies: false)
        else { return "no miss" }
        return reason
    }

    private static func exchange(
        _ number: Int, _ body: String, caller: String = "user-1", token: String = "T1"
    ) -> RecordedExchange {
        RecordingFileTests.exchange(number, Array(body.utf8), caller: caller, token: token)
    }

    @Test func `equal requests are answered in their order, whatever comes between`() throws {
        var (book, folder) = try Self.book([
            Self.exchange(1, #"{"a":1,"b":2}"#), Self.exchange(2, #"{"c":3}"#),
            Self.exchange(3, #"{"b":2, "a":1}"#),
        ])
        #expect(Self.number(&book, Self.request(#"{"c":3}"#)) == 2)
        #expect(Self.number(&book, Self.request(#"{ "b":2,"a":1}"#)) == 1)
        #expect(book.unasked.map(\.number) == [3])
        #expect(Self.number(&book, Self.request(#"{"a":1,"b":2}"#)) == 3)
        #expect(
            Self.miss(&book, Self.request(#"{"a":1,"b":2}"#)).contains(
                "has this request 2 times, and it is sent once more (exchange 1)"))
        _ = folder
    }

    @Test func `each user gets what was answered to that user`() throws {
        var (book, folder) = try Self.book([
            Self.exchange(1, "{}"), Self.exchange(2, "{}", caller: "user-2", token: "T2"),
        ])
        #expect(Self.number(&book, Self.request("{}", token: "T2")) == 2)
        #expect(Self.miss(&book, Self.request("{}", token: "T2")).contains("once"))
        #expect(Self.number(&book, Self.request("{}", token: "T1")) == 1)
        _ = folder
    }

    @Test func `a credential that is not recorded is taken for the only caller it can be`() throws {
        var (book, folder) = try Self.book([
            Self.exchange(1, #"{"a":1}"#), Self.exchange(2, #"{"b":1}"#),
            Self.exchange(3, #"{"b":1}"#, caller: "user-2", token: "T2"),
        ])
        // It could be either's.
        #expect(
            Self.miss(&book, Self.request(#"{"b":1}"#, token: "X")).contains(
                "credentials are not in the recording"))
        #expect(Self.number(&book, Self.request(#"{"a":1}"#, token: "X")) == 1)
        #expect(Self.number(&book, Self.request(#"{"b":1}"#, token: "X")) == 2)
        // One user is not two.
        #expect(Self.number(&book, Self.request(#"{"b":1}"#, token: "Y")) == 3)
        #expect(Self.number(&book, Self.request(#"{"a":1}"#, token: "Z")) == nil)
        _ = folder
    }

    @Test func `a request that was not recorded is told what is nearest, and what differs`() throws
    {
        var (book, folder) = try Self.book([
            Self.exchange(1, #"{"query":{"recordType":"Book"},"limit":5,"x":1}"#),
            Self.exchange(2, #"{"query":{"recordType":"Note"},"limit":5}"#),
        ])
        let body = Self.miss(&book, Self.request(#"{"query":{"recordType":"Notes"},"limit":5}"#))
        #expect(
            body == #"nearest is exchange 2: query.recordType is "Notes", recorded was "Note""#)
        let parameter = Self.miss(
            &book,
            Self.request(
                #"{"query":{"recordType":"Note"},"limit":5}"#, more: "getCurrentSyncToken=true&"))
        #expect(
            parameter == "nearest is exchange 2: the parameter getCurrentSyncToken=true is new")
        let path = Self.miss(
            &book, Self.request("{}", path: Self.path.replacing("query", with: "querry")))
        #expect(path == "no request with this path was recorded; nearest is \(Self.path)")
        _ = folder
    }

    @Test func `of what is equally near that is told which nobody has asked for`() throws {
        var (book, folder) = try Self.book([
            Self.exchange(1, #"{"a":1}"#), Self.exchange(2, #"{"a":2}"#),
        ])
        #expect(Self.number(&book, Self.request(#"{"a":1}"#)) == 1)
        #expect(
            Self.miss(&book, Self.request(#"{"a":3}"#)).hasPrefix("nearest is exchange 2"))
        _ = folder
    }

    @Test func `an exchange that was asked for by another text is not asked for again`() throws {
        func asking(_ number: Int) -> RecordedExchange {
            let exchange = Self.exchange(number, #"{"users":[{"emailAddress":"a@b.example"}]}"#)
            return RecordedExchange(
                number: number,
                request: RecordedRequest(
                    method: exchange.request.method, target: exchange.request.target,
                    caller: "user-1", body: exchange.request.body, ownTexts: ["a@b.example"]),
                answer: exchange.answer)
        }
        func request(_ mail: String) -> RecordedRequest {
            Self.request(#"{"users":[{"emailAddress":"\#(mail)"}]}"#)
        }
        var (book, folder) = try Self.book([asking(1), asking(2)])
        #expect(Self.number(&book, request("c@d.example")) == 1)
        #expect(Self.number(&book, request("a@b.example")) == 2)
        #expect(book.unasked.isEmpty)
        _ = folder
    }

    @Test(arguments: [
        ("x-apple-cloudkit-web-auth-token", true), ("x-apple-cloudkit-session", true),
        ("content-type", false), ("x-apple-request-uuid", false),
    ])
    func `the headers that hold tokens are secret`(name: String, isSecret: Bool) {
        #expect(SecretRules.isSecret(header: name) == isSecret)
    }

    @Test func `what a program knows by itself may be another text, always the same for the same`()
        throws
    {
        func asking(_ number: Int, _ mail: String, own: [String]) -> RecordedExchange {
            var exchange = Self.exchange(number, #"{"users":[{"emailAddress":"\#(mail)"}]}"#)
            exchange = RecordedExchange(
                number: number,
                request: RecordedRequest(
                    method: exchange.request.method, target: exchange.request.target,
                    caller: "user-1", body: exchange.request.body, ownTexts: own),
                answer: exchange.answer)
            return exchange
        }
        var (book, folder) = try Self.book([
            asking(1, "p1@example.com", own: ["p1@example.com"]),
            asking(2, "p2@example.com", own: ["p2@example.com"]),
            asking(3, "p1@example.com", own: ["p1@example.com"]),
            asking(4, "p3@example.com", own: []),
        ])
        func ask(_ mail: String) -> Int? {
            Self.number(&book, Self.request(#"{"users":[{"emailAddress":"\#(mail)"}]}"#))
        }
        #expect(ask("ann@a.example") == 1)
        // It stands for the first one's, and for no other's.
        #expect(ask("ann@a.example") == 3)
        #expect(ask("ann@a.example") == nil)
        #expect(ask("bob@a.example") == 2)
        // This one came from an answer: the program has to say it as it was.
        #expect(ask("cy@a.example") == nil)
        let missed = Self.miss(
            &book, Self.request(#"{"users":[{"emailAddress":"cy@a.example"}]}"#))
        #expect(missed.contains("users[0].emailAddress differs") && !missed.contains("cy@"))
        #expect(ask("p3@example.com") == 4)
        _ = folder
    }
}
