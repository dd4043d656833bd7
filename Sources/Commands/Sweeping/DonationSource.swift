import DonationStore

/// The donation store that goes with a container list.
enum DonationSource {
    /// Opens the store that the list names, else the application's usual one in the state folder
    /// if it is there; nil: there is none.
    static func open(
        for list: ContainerList, stateFolder: String, in environment: Environment
    ) throws(CommandFailure) -> DonationStore? {
        var folder: String
        if let named = list.donations {
            do throws(ConfigurationError) {
                folder = try list.resolve(named.store, "store", in: environment)
                if !folder.hasPrefix("/") {
                    folder =
                        environment.files.absolute(list.file)
                        .split(separator: "/", omittingEmptySubsequences: false).dropLast()
                        .joined(separator: "/") + "/" + folder
                }
                // A misspelled folder must not pass for a store without donations.
                guard environment.files.facts(folder + "/donations.sqlite") != nil else {
                    throw list.error(
                        "there is no donation store in \(folder)", at: named.store.place)
                }
            } catch {
                throw CommandFailure(error)
            }
        } else {
            guard let application = list.application else { return nil }
            folder = stateFolder + "/donations/" + application
            guard environment.files.facts(folder + "/donations.sqlite") != nil else { return nil }
        }
        do throws(DonationError) {
            return try DonationStore(
                configuration: DonationConfiguration(
                    bundleIdentifier: list.donations?.application ?? list.application ?? "",
                    directory: folder, clock: environment.wallClock))
        } catch {
            throw CommandFailure(.usage, error.reason)
        }
    }
}
