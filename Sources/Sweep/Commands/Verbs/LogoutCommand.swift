import CloudCommandLine
import CloudModel
import CommandLine

/// Removes the tokens of sign-ins.
struct LogoutCommand: Command {
    static let verb = Verb(
        "logout", "remove stored sign-in tokens",
        discussion: [
            "Removes the tokens that \"cksweep login\" has stored, once no other cksweep "
                + "process uses them. The service is not notified: it has no request for that, and "
                + "the token expires by itself."
        ],
        positionals: [
            Positional(.container, .any, "containers (default: all that use a sign-in)")
        ],
        options: CommonOptions.scope + CommonOptions.output,
        examples: [.init("cksweep logout", "after the evidence is handed over")])
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
                wasThere ? "Signed out of \(name)." : "There was no sign-in to \(name).")
        }
        return .done
    }
}
