import CloudCommandLine
import CommandLine
import Configuration

extension ContainerList {
    /// The list that a verb is about: the one its arguments name, else the only one there is.
    static func read(
        _ arguments: Arguments, in environment: Environment
    ) throws(CommandFailure) -> ContainerList {
        do throws(ConfigurationError) {
            let path = try ContainerListLocator.find(
                arguments.text(CommonOptions.config), files: environment.files)
            return try ContainerListReader.read(path, files: environment.files)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The server that a verb talks to, once nobody can be mistaken about it.
    func server(
        _ arguments: Arguments, in environment: Environment
    ) throws(CommandFailure) -> ServerChoice {
        let server: ServerChoice
        do throws(ConfigurationError) {
            server = try ServerChoice.choose(for: self, in: environment.source)
        } catch {
            throw CommandFailure(error)
        }
        let isMeant = arguments.has(CommonOptions.rehearsal)
        if let other = server.standsInFor, !isMeant {
            throw CommandFailure(
                .refused,
                "\(file) is for \(other), and \(ServerChoice.urlVariable) points to \(server.url)",
                remedy: "to rehearse there, add --rehearsal; to use \(other), unset "
                    + ServerChoice.urlVariable)
        }
        if isMeant, !server.facts.isRehearsal {
            throw CommandFailure(
                .refused, "--rehearsal was given, but \(file) targets Apple's production host",
                remedy: "set \(ServerChoice.urlVariable), as \"cloudkit-mock exec\" does, or "
                    + "remove --rehearsal")
        }
        if server.standsInFor == nil { try checkEnvironment(arguments) }
        return server
    }

    /// Sees to it that nobody means the production environment by mistake.
    private func checkEnvironment(_ arguments: Arguments) throws(CommandFailure) {
        guard environment == .development || arguments.has(CommonOptions.production) else {
            throw CommandFailure(
                .refused, "\(file) is for the production environment",
                remedy: "to use it, add --production")
        }
    }
}
