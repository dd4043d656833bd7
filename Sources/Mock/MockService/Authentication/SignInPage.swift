import Basics
package import CloudWire
import MockStore

/// The page where a test user is chosen; works without scripts and without other requests.
package enum SignInPage {
    /// Header fields of both pages: nothing from elsewhere, no other site may frame them.
    static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
        + "frame-ancestors 'none'; base-uri 'none'"

    /// What a sign-in carries from the page to its form.
    package struct Form {
        let apiToken: String
        /// The page that began it, to which the token is posted.
        let origin: WebOrigin?
        /// Where the browser is sent instead.
        let callback: SignInCallback?
        /// What the app wants back with the token.
        let state: String?

        static let stateBytesMax = 1024

        /// What the form carries, as parameters.
        private static let carried: [Shape.Member] = [
            .text("apiToken").required, .text("origin"), .text("callback"), .text("state"),
        ]
        /// The parameters that the page is asked for with.
        package static let asked = carried + [.text("container")]
        /// The fields that its form sends.
        package static let chosen = carried + [.text("user").required]

        fileprivate var fields: String {
            [
                ("apiToken", apiToken), ("origin", origin?.description ?? ""),
                ("callback", callback?.description ?? ""), ("state", state ?? ""),
            ].map { name, value in
                #"<input type="hidden" name="\#(name)" value="\#(MarkupText.escape(value))">"#
            }.joined(separator: "\n")
        }
    }

    /// The form, one button a user.
    static func choose(users: [Account], _ form: Form, container: String) -> String {
        let buttons = users.map { user in
            let names = user.profile.names
            let full = [names.givenName, names.familyName].compactMap { $0 }
                .joined(separator: " ")
            let label = full.isEmpty ? user.name : "\(full) (\(user.name))"
            return """
                <button name="user" value="\(MarkupText.escape(user.name))">\(MarkupText.escape(label))</button>
                """
        }.joined(separator: "\n")
        let body =
            users.isEmpty
            ? "<p>This server has no users yet. Create one with <code>POST "
                + "/_mock/v1/users</code>.</p>"
            : """
            <form method="post" action="signin">
            \(form.fields)
            \(buttons)
            </form>
            """
        let app =
            (container.isEmpty ? "An app" : "<code>\(MarkupText.escape(container))</code>")
            + (form.origin.map { " at <code>\(MarkupText.escape($0.description))</code>" } ?? "")
        return page(
            "Choose a test user",
            "<p>\(app) wants to use iCloud. This is a mock server: no password is needed.</p>\n"
                + body)
    }

    /// What is shown after the choice: the token for copying, which is also posted to the opener if
    /// that is a page of `origin`.
    static func done(user: String, token: String, _ form: Form) -> String {
        page(
            "Signed in as \(MarkupText.escape(user))",
            """
            <p>You can close this window. Where nothing happened by itself, copy the token:</p>
            <textarea readonly rows="4" aria-label="Web token"
            data-origin="\(MarkupText.escape(form.origin?.description ?? ""))"
            data-state="\(MarkupText.escape(form.state ?? ""))">\(MarkupText.escape(token))</textarea>
            <script>
            (function () {
              var area = document.querySelector("textarea");
              var message = {ckWebAuthToken: area.value, ckSession: area.value, errorMessage: null};
              if (area.dataset.state) { message.state = area.dataset.state; }
              if (window.opener && area.dataset.origin) {
                window.opener.postMessage(message, area.dataset.origin);
                window.close();
              }
            })();
            </script>
            """)
    }

    private static func page(_ title: String, _ body: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>\(title)</title>
        <style>
        :root { color-scheme: light dark }
        body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 12vh auto;
          padding: 0 1rem }
        button { display: block; width: 100%; margin: .5rem 0; padding: .7rem; font: inherit;
          cursor: pointer }
        textarea { width: 100%; box-sizing: border-box; font: .8rem ui-monospace, monospace }
        code { overflow-wrap: anywhere }
        </style>
        <main>
        <h1>\(title)</h1>
        \(body)
        </main>
        </html>
        """
    }
}
