import CloudModel

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

    /// Sees to it that nobody means the production environment by mistake.
    func checkEnvironment(_ arguments: Arguments) throws(CommandFailure) {
        guard environment == .development || arguments.has(CommonOptions.production) else {
            throw CommandFailure(
                .refused, "\(file) is for the production environment",
                remedy: "if that is meant, say --production")
        }
    }
}
