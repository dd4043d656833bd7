import AsyncOperations
import CloudClient
import CloudModel
import CommandLine
import FileSystem
import HTTPClient
import HTTPServer

/// Has a person sign in to one container, and finds out who it is.
struct SignIn: Sendable {
    /// How the token comes here.
    enum Way: Sendable, Hashable {
        /// By the browser on this machine; port 0 is any free one.
        case browser(port: UInt16)
        /// The person pastes it.
        case paste
    }

    /// Who signed in.
    struct Person: Sendable {
        /// The newest token.
        let token: String
        let user: UserIdentity
    }

    let console: Console
    let endpoint: CloudEndpoint
    let client: HTTPClient
    /// The container's public database, which everybody may ask who they are.
    let address: Database.Address
    let apiToken: String
    let way: Way
    /// How long the person may take.
    let timeout: Duration

    static let timeoutStandard: Duration = .seconds(300)

    var environment: Environment { console.environment }

    /// Asks the service where to sign in, waits for the token, and asks whose it is.
    func run() async throws(SignInFailure) -> Person {
        let token =
            switch way {
            case .browser(let port): try await browse(port)
            case .paste: try await paste()
            }
        return try await identify(token)
    }

    /// Asks whose a token is.
    func identify(_ token: String) async throws(SignInFailure) -> Person {
        let store = WebAuthTokenStore(token: token)
        do throws(CloudError) {
            let user = try await database(.apiToken(apiToken, web: store)).caller()
            // That answer brought the next one.
            return Person(token: store.current ?? token, user: user)
        } catch {
            throw .refused(error)
        }
    }

    private func database(_ credential: Credential, origin: String? = nil) -> HTTPCloudDatabase {
        let client = client
        return HTTPCloudDatabase(
            address: address, endpoint: endpoint, credential: credential,
            clock: environment.wallClock
        ) { request throws(HTTPClientError) in
            var request = request
            // The page that the token is posted to.
            if let origin { request.headers.append(("Origin", origin)) }
            return try await client.send(request)
        }
    }

    /// Where the service has people sign in.
    ///
    /// - Parameter origin: Of the page that waits for the token; nil: there is none.
    func signInURL(for origin: String?) async throws(SignInFailure) -> String {
        do throws(CloudError) {
            _ = try await database(.apiToken(apiToken, web: nil), origin: origin).caller()
        } catch {
            guard error.code == .authenticationRequired else { throw .refused(error) }
            guard let url = error.redirectURL, url.hasPrefix("https://"),
                HTTPClientRequest.problem(inURL: url) == nil
            else {
                throw .notAsked("the service did not report where to sign in")
            }
            return url
        }
        throw .notAsked("the service accepts the API token for a user, but offers no sign-in page")
    }

    // MARK: In the browser

    func browse(_ port: UInt16) async throws(SignInFailure) -> String {
        let listener: LoopbackListener
        do throws(HTTPServerError) {
            let clock = environment.wallClock
            listener = try LoopbackListener(port: port) { clock.now.milliseconds / 1000 }
        } catch {
            throw .unusable("cannot wait for the browser: \(error.reason)")
        }
        let url = try await signInURL(for: listener.origin)
        let (page, tokens) = listener.talk(for: address.container.rawValue, signInURL: url)
        defer { listener.stop() }
        do throws(FileError) {
            try Browser(environment: environment).open(page)
            environment.errors.write(
                "Opened \(page) in the browser. Sign in there, on this machine.\n")
        } catch {
            environment.errors.write(
                "No browser could be opened (\(error.description)). Open \(page) in a browser "
                    + "on this machine, or use --paste.\n")
        }
        guard let answer = await first(of: tokens) else {
            throw .noToken("no sign-in within \(timeout.components.seconds) s")
        }
        guard let token = answer else {
            throw .noToken("too many unrelated requests arrived during the sign-in")
        }
        return token
    }

    /// The first token, nil where none can come any more; nil when time is up.
    private func first(of tokens: AsyncStream<String>) async -> String?? {
        let clock = environment.clock
        let timeout = timeout
        return await withTaskGroup(of: (String??).self) { group in
            group.addTask {
                for await token in tokens { return .some(token) }
                return .some(nil)
            }
            group.addTask {
                do {
                    try await clock.sleep(for: timeout)
                } catch {
                    return nil  // The token was quicker.
                }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    // MARK: By hand

    private func paste() async throws(SignInFailure) -> String {
        let url = try await signInURL(for: nil)
        environment.errors.write(
            """
            Sign in to \(address.container.rawValue) at
              \(Visible.text(url))
            Then paste the token, or the address that the browser was sent to, and press Return: 
            """ + " ")
        environment.signals.beforeEnd { [input = environment.input] in input.showTyping() }
        defer { environment.signals.beforeEnd(nil) }
        let line = await environment.input.secret(within: timeout)
        environment.errors.write("\n")
        guard let line else { throw .noToken("no token was pasted") }
        return try PastedToken.checked(line)
    }
}
