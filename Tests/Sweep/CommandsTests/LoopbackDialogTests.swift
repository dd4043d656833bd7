import Commands
import HTTPServer
import Testing

/// What the listener of a sign-in answers, request by request; no socket is there.
struct LoopbackDialogTests {
    private static let origin = "http://127.0.0.1:5000"
    private static let state = "57a7e"
    private static let cookie = "\(LoopbackDialog.cookie)=\(state)"

    /// - Parameter isOpen: Whether the browser has the first page.
    private func dialog(isOpen: Bool = true) -> LoopbackDialog {
        var dialog = LoopbackDialog(
            origin: Self.origin, signInURL: "https://service/sign-in?a=1&b=<\"'>", for: "iCloud.a",
            ticket: "71c4e7", state: Self.state)
        if isOpen { _ = dialog.answer(Self.request("GET", "/71c4e7")) }
        return dialog
    }

    private static func request(
        _ method: String, _ target: String, _ headers: HTTPHeaders = [:], body: String = "",
        host: String = "127.0.0.1:5000"
    ) -> HTTPRequest {
        var headers = headers
        headers.append("host", host)
        return HTTPRequest(
            method: method, target: target, headers: headers, body: Array(body.utf8))
    }

    @Test func `the first page is shown once, and the state is in it and in a cookie`() {
        var dialog = dialog(isOpen: false)
        #expect(dialog.address == "http://127.0.0.1:5000/71c4e7")
        let first = dialog.answer(Self.request("GET", "/71c4e7")).response
        #expect(first.status == 200)
        let page = String(decoding: first.body, as: UTF8.self)
        #expect(page.contains("data-state=\"57a7e\""))
        #expect(page.contains("data-url=\"https%3A%2F%2Fservice%2Fsign-in%3Fa%3D1%26b%3D%3C%22%27"))
        let cookie = first.headers["set-cookie"] ?? ""
        #expect(cookie.hasPrefix("\(Self.cookie); HttpOnly; SameSite=Lax"), "\(cookie)")
        let second = dialog.answer(Self.request("GET", "/71c4e7")).response
        #expect(second.status == 410)
        #expect(!String(decoding: second.body, as: UTF8.self).contains("57a7e"))
    }

    @Test func `a token comes in by the page or by the callback, once`() {
        var dialog = dialog()
        let posted = Self.request(
            "POST", "/token", ["origin": Self.origin], body: "state=57a7e&ckWebAuthToken=a%2Bb%3D")
        #expect(dialog.answer(posted).token == "a+b=")
        let again = dialog.answer(posted)
        #expect(again.token == nil && again.response.status == 410)
        var other = self.dialog()
        let sent = Self.request(
            "GET", "/callback?ckWebAuthToken=a+b&ckSession=x",
            ["cookie": "theme=dark; \(Self.cookie)"])
        #expect(other.answer(sent).token == "a+b")
        #expect(other.answer(sent).response.status == 410)
    }

    @Test(arguments: [
        // Another program, or a page of another site.
        ("GET", "/callback?ckWebAuthToken=t", "", "", 403),
        ("GET", "/callback?ckWebAuthToken=t&state=57a7e", "", "", 403),
        ("GET", "/callback?ckWebAuthToken=t", "", "\(LoopbackDialog.cookie)=guess", 403),
        ("GET", "/callback?ckWebAuthToken=t&state=guess", "", cookie, 403),
        ("POST", "/token", "state=guess&ckWebAuthToken=t", "", 403),
        ("POST", "/token", "ckWebAuthToken=t", "", 403), ("POST", "/token", "", "", 403),
        ("POST", "/token?state=57a7e&ckWebAuthToken=t", "", "", 403),
        // Ours, and no token.
        ("GET", "/callback", "", cookie, 400),
        ("GET", "/callback?ckWebAuthToken=", "", cookie, 400),
        ("GET", "/callback?ckWebAuthToken=a%20%0Ab", "", cookie, 400),
        ("POST", "/token", "state=57a7e", "", 400),
        // Elsewhere.
        ("GET", "/", "", "", 404), ("GET", "/favicon.ico", "", "", 404),
        ("GET", "/71c4e7/", "", "", 404), ("GET", "/callback/?ckWebAuthToken=t", "", cookie, 404),
        ("POST", "/71c4e7", "", "", 405), ("POST", "/callback?ckWebAuthToken=t", "", cookie, 405),
        ("GET", "/token?ckWebAuthToken=t&state=57a7e", "", "", 405), ("PUT", "/token", "", "", 405),
    ])
    func `what does not belong to the sign-in brings no token and does not end it`(
        method: String, target: String, body: String, cookie: String, status: Int
    ) {
        var dialog = dialog()
        let hostile = Self.request(
            method, target, ["origin": Self.origin, "cookie": cookie], body: body)
        let answer = dialog.answer(hostile)
        #expect(answer.token == nil && answer.response.status == status)
        let good = Self.request("GET", "/callback?ckWebAuthToken=t", ["cookie": Self.cookie])
        #expect(dialog.answer(good).token == "t")
    }

    @Test(arguments: ["https://evil.example", "null", "http://127.0.0.1:5001", ""])
    func `a page of another origin cannot post a token, whatever it knows`(origin: String) {
        var dialog = dialog()
        let posted = Self.request(
            "POST", "/token", origin.isEmpty ? [:] : ["origin": origin],
            body: "state=57a7e&ckWebAuthToken=t")
        #expect(dialog.answer(posted).token == nil)
    }

    @Test(arguments: ["evil.example:5000", "localhost:5000", "127.0.0.1", "127.0.0.1:5001"])
    func `a name of somebody else's that leads here is told nothing`(host: String) {
        var dialog = dialog(isOpen: false)
        let page = dialog.answer(Self.request("GET", "/71c4e7", host: host)).response
        #expect(page.status == 403)
        #expect(!String(decoding: page.body, as: UTF8.self).contains("57a7e"))
        #expect(dialog.answer(Self.request("GET", "/71c4e7")).response.status == 200)
    }

    @Test func `nobody brings a token before the page was opened`() {
        var dialog = dialog(isOpen: false)
        let sent = Self.request("GET", "/callback?ckWebAuthToken=t", ["cookie": Self.cookie])
        #expect(dialog.answer(sent).response.status == 403)
    }

    @Test func `nobody goes on guessing`() {
        var dialog = dialog()
        let guess = Self.request("POST", "/token", ["origin": Self.origin], body: "state=0")
        for _ in 0..<LoopbackDialog.refusalsMax {
            #expect(!dialog.isGivenUp && dialog.answer(guess).response.status == 403)
        }
        #expect(dialog.isGivenUp)
        let good = Self.request("GET", "/callback?ckWebAuthToken=t", ["cookie": Self.cookie])
        #expect(dialog.answer(good).response.status == 410)
    }
}
