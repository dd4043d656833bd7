import CloudModel
import CommandTable

/// Removes the tokens of sign-ins.
struct LogoutCommand: Command {
    static let verb = Verb(
        "logout", "remove the tokens of sign-ins",
        discussion: [
            "Removes what \"cksweep login\" has kept, once no other cksweep has a request under way that "
                + "bears it. The service is not told: it has no request for that, and a token that "
                + "nobody has any more ends by itself."
        ],
        positionals: [
            Positional(.container, .any, "which containers (default: all that are signed in to)")
        ],
        options: CommonOptions.scope + CommonOptions.output,
        examples: [.init("cksweep logout", "once the evidence is handed over")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        for place in try SignInPlaces(arguments, in: environment, console).places {
            let name = place.entry.id.rawValue
            let wasThere: Bool
            do throws(CloudError) {
                wasThere = try await place.file.remove()
            } catch {
                throw CommandFailure(.internalError, "\(name): \(error.reason)")
            }
            console.event(
                Event("signed_out", [.init("container", name), .init("wasSignedIn", wasThere)]))
            console.result(
                wasThere ? "Signed out of \(name)." : "Nobody was signed in to \(name).")
        }
        return .done
    }
}
