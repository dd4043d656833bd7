import HTTPServer
import Testing

/// The console's files, as a browser asks for them.
struct ConsoleTests {
    private func get(_ bench: Bench, _ target: String, _ method: String = "GET") throws
        -> Bench.Answer
    {
        try #require(
            try bench.send(
                HTTPRequest(
                    method: method, target: target, headers: ["sec-fetch-site": "cross-site"])))
    }

    /// The addresses that a page or script asks for.
    private func addresses(in text: String) -> [String] {
        text.matches(of: /(?:src|href)="(\/[^"]*)"|from "\.\/([a-z]+\.js)"/).map {
            $0.1.map(String.init) ?? "/_mock/console/" + ($0.2.map(String.init) ?? "")
        }
    }

    /// Every file that can be reached from the page, by its address.
    private func files(_ bench: Bench) throws -> [String: Bench.Answer] {
        var files = ["/": try get(bench, "/")]
        var left = addresses(in: files["/"]?.text ?? "")
        while let address = left.popLast() {
            guard files[address] == nil else { continue }
            let answer = try get(bench, address)
            files[address] = answer
            left += addresses(in: answer.text)
        }
        return files
    }

    @Test func `every file that the page needs is there, with its type and a strict policy`() throws
    {
        let files = try files(try Bench())
        #expect(files.count > 10)
        let types = ["css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"]
        for (address, answer) in files {
            #expect(answer.status == 200, "\(address)")
            let type = types[address.split(separator: ".").last.map(String.init) ?? ""]
            #expect(
                answer.headers["content-type"] == (type ?? "text/html") + "; charset=UTF-8",
                "\(address)")
            #expect(
                answer.headers["content-security-policy"]
                    == "default-src 'none'; script-src 'self'; style-src 'self'; "
                    + "img-src 'self' blob:; connect-src 'self'; base-uri 'none'; "
                    + "form-action 'none'; frame-ancestors 'none'")
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["cross-origin-resource-policy"] == "same-origin")
        }
    }

    @Test func `nothing in it is inline, from elsewhere, or makes elements of text`() throws {
        for (address, answer) in try files(try Bench()) {
            let text = answer.text.replacing("http://www.w3.org/2000/svg", with: "")
            for word in [
                "http://", "https://", "innerHTML", "outerHTML", "insertAdjacentHTML",
                "document.write", "eval(", "style=\"", "javascript:", "<style", "onload=",
            ] {
                #expect(!text.contains(word), "\(address) has \(word)")
            }
            #expect(text.matches(of: /<script(?![^>]* src=)/).isEmpty, "\(address)")
        }
    }

    @Test(arguments: [
        ("POST", "/", 405), ("POST", "/_mock/console/console.js", 405),
        ("GET", "/_mock/console/", 404), ("GET", "/_mock/console/nope.js", 404),
        ("GET", "/_mock/console/../console.js", 404), ("HEAD", "/", 200),
        ("HEAD", "/_mock/console/console.css", 200),
    ])
    func `other paths and methods lead nowhere`(
        method: String, target: String, status: Int
    ) throws {
        let answer = try #require(
            try Bench().send(HTTPRequest(method: method, target: target)))
        #expect(answer.status == status, "\(answer.text)")
        #expect((answer.headers["allow"]?.hasPrefix("GET, HEAD") == true) == (status == 405))
    }

    @Test func `the journal has nothing of it`() throws {
        let bench = try Bench()
        _ = try files(bench)
        #expect(try bench.admin("GET", "journal").json?["total"]?.int64 == 0)
    }
}
