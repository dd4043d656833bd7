import CloudWire

/// The pages that a browser is shown on this machine; they ask for nothing from elsewhere.
enum LoopbackPage {
    /// Nothing from elsewhere, and no other site may frame them.
    static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
        + "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"

    /// The page that opens the service's own one and waits for its token.
    ///
    /// - Parameters:
    ///   - subject: Of the characters of a container's name.
    ///   - state: In hexadecimal.
    static func begin(_ subject: String, signInURL: String, state: String) -> String {
        // Escaped twice it needs no escaping for HTML.
        page(
            "Sign in to \(subject)",
            """
            <p>Sign in as the user whose data in <code>\(subject)</code> will be deleted.</p>
            <button id="go" data-url="\(WireQuery.encoded(signInURL))" data-state="\(state)">
            Sign in</button>
            <p id="status" role="status"></p>
            <script>
            (function () {
              var button = document.getElementById("go");
              var status = document.getElementById("status");
              var opened = null;
              button.addEventListener("click", function () {
                opened = window.open(decodeURIComponent(button.dataset.url), "_blank");
                status.textContent = opened ? "Continue in the window that has opened."
                  : "The browser blocked the window. Allow pop-ups for this page.";
              });
              window.addEventListener("message", function (event) {
                if (!opened || event.source !== opened || !event.data) { return; }
                var token = event.data.ckWebAuthToken || event.data.ckSession;
                if (!token) { return; }
                fetch("/token", {
                  method: "POST",
                  headers: {"Content-Type": "application/x-www-form-urlencoded"},
                  body: "state=" + button.dataset.state
                    + "&ckWebAuthToken=" + encodeURIComponent(token)
                }).then(function (response) {
                  button.hidden = response.ok;
                  status.textContent = response.ok ? "Signed in. You can close this window."
                    : "The token was refused; see the terminal.";
                }, function () { status.textContent = "cksweep is no longer waiting."; });
              });
            })();
            </script>
            """)
    }

    static let done = said("Signed in. You can close this window.")

    /// - Parameter text: Without characters that HTML takes for its own.
    static func said(_ text: String) -> String { page("cksweep", "<p>\(text)</p>") }

    private static func page(_ title: String, _ body: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>\(title)</title>
        <style>
        :root { color-scheme: light dark }
        body { font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 12vh auto;
          padding: 0 1rem }
        button { padding: .7rem 1.4rem; font: inherit; cursor: pointer }
        code { overflow-wrap: anywhere }
        </style>
        <h1>\(title)</h1>
        \(body)
        </html>
        """
    }
}
