import CloudWire
import MockFaults
import MockService

extension OpenAPIOperation {
    /// Pages for people, and the web courier.
    static let pages: [OpenAPIOperation] = signIn + courier + console

    private static let pageTag = Tag(name: "pages", about: "pages for people")
    private static let html: [Content] = [.text("text/html")]

    private static let signIn = [
        OpenAPIOperation(
            tag: pageTag, method: "GET", path: SignInService.path, id: "getSignIn",
            about: "shows the users who can sign in", query: SignInPage.Form.asked,
            answers: [Answer(status: 200, about: "a page with a button for each", contents: html)],
            refusals: OpenAPIRefusal.administration()),
        OpenAPIOperation(
            tag: pageTag, method: "POST", path: SignInService.path, id: "postSignIn",
            about: "signs a user in",
            body: Body(
                contents: [.form(SignInPage.Form.chosen)], isRequired: true,
                bytesMax: SignInService.formBytesMax),
            answers: [
                Answer(status: 200, about: "a page with the web token", contents: html),
                Answer(
                    status: 302, about: "the callback, with the web token", headers: [.location]),
            ], refusals: OpenAPIRefusal.administration()),
    ]

    private static let courier = ["GET", "POST"].map { method in
        OpenAPIOperation(
            tag: Tag(name: "courier", about: "pushes for web pages"), method: method,
            path: PushService.path,
            id: "waitForPush" + (method == "GET" ? "" : "With\(method)"),
            about: "waits for the next push of a device", query: [.text("tok").required],
            answers: [
                Answer(
                    status: 200, about: "the push; without a body: none arrived",
                    contents: [.json(.map(.any))])
            ], refusals: OpenAPIRefusal.service())
    }

    private static let console = [
        OpenAPIOperation(
            tag: pageTag, method: "GET", path: "/", id: "getConsole",
            about: "shows the server's data, in a browser",
            answers: [Answer(status: 200, about: "the console", contents: html)],
            refusals: OpenAPIRefusal.service())
    ]
}
