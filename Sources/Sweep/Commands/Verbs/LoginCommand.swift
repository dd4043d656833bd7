import CloudClient
import CloudCommandLine
import CloudModel
import CommandLine
import Configuration
import HTTPClient

/// Signs a person in to containers, one after the other.
struct LoginCommand: Command {
    private static let paste = Option(
        "paste", "read the token from a terminal or standard input instead of opening a browser")
    private static let port = Option(
        "port", value: .number(1...65_535),
        "port of the callback in the API token's settings (default: any)")
    private static let timeout = Option(
        "timeout", value: .duration, "time limit for a sign-in (default 5m)")

    static let verb = Verb(
        "login", "sign in as the user whose data will be deleted",
        discussion: [
            "For containers whose \"webAuthToken\" is \"login\" in the container list. Asks the "
                + "service for its sign-in page, opens it in the browser ($BROWSER, else xdg-open), "
                + "and waits for the token on 127.0.0.1. Each container has its own sign-in.",
            "The tokens are stored in the state folder, for you alone, and replaced when the "
                + "service sends new ones. They are never shown. \"cksweep logout\" removes them.",
            "An API token made with \"URL Redirect\" sends the browser to one address: make it "
                + "with http://127.0.0.1:8123/callback, and pass --port 8123.",
        ],
        positionals: [
            Positional(.container, .any, "containers (default: all that use a sign-in)")
        ],
        options: [paste, port, timeout] + CommonOptions.scope + CommonOptions.output,
        examples: [
            .init("cksweep login", "every container in turn, in the browser"),
            .init("cksweep login --paste iCloud.com.example.app", "on a machine without a browser"),
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard !arguments.has(Self.paste) || !arguments.has(Self.port) else {
            throw UsageError("--port is for the browser, and --paste uses none")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let places = try SignInPlaces(arguments, in: environment, console)
        let endpoint: CloudEndpoint
        var apiTokens: [String] = []
        do throws(ConfigurationError) {
            endpoint = try CloudEndpoint(places.list, at: places.server)
            // All of them before anybody is asked for anything.
            for place in places.places { apiTokens.append(try apiToken(for: place, places)) }
        } catch {
            throw CommandFailure(error)
        }
        let client = endpoint.makeClient(requestsInFlight: 1)
        defer { client.shutdown() }
        for (place, apiToken) in zip(places.places, apiTokens) {
            let signIn = SignIn(
                console: console, endpoint: endpoint, client: client,
                address: Database.Address(
                    container: place.entry.id, environment: places.list.environment, scope: .public),
                apiToken: apiToken, way: way,
                timeout: arguments.duration(Self.timeout) ?? SignIn.timeoutStandard)
            try await self.signIn(to: place, by: signIn)
        }
        return .done
    }

    private var way: SignIn.Way {
        guard !arguments.has(Self.paste) else { return .paste }
        return .browser(port: UInt16(arguments.number(Self.port) ?? 0))
    }

    private func apiToken(
        for place: SignInPlaces.Place, _ places: SignInPlaces
    ) throws(ConfigurationError) -> String {
        switch try places.reader.secrets(for: place.entry, at: places.server) {
        case .tokens(let api, _): return api
        case .serverKey: preconditionFailure("it uses a server-to-server key")
        }
    }

    private func signIn(
        to place: SignInPlaces.Place, by signIn: SignIn
    ) async throws(CommandFailure) {
        let name = place.entry.id.rawValue
        let person: SignIn.Person
        do throws(SignInFailure) {
            person = try await signIn.run()
        } catch {
            throw CommandFailure(
                .notSignedIn, "not signed in to \(name): \(error.reason)",
                remedy: "\"cksweep login \(name)\" asks again")
        }
        do throws(CloudError) {
            try await place.file.begin(with: person.token)
        } catch {
            throw CommandFailure(.internalError, "\(name): \(error.reason)")
        }
        let user = person.user.userRecordName
        let who = (person.user.givenName.map { "\($0), " } ?? "") + user
        signIn.console.event(
            Event("signed_in", [.init("container", name), .init("user", user)]))
        signIn.console.result("Signed in to \(name) as \(Visible.text(who)).")
    }
}
