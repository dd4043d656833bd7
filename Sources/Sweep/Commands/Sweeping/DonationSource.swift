import CloudCommandLine
import CommandLine
import Configuration
import DonationStore

/// The donation store that goes with a container list.
enum DonationSource {
    /// Where the store is that the list names, else the application's usual one in the state
    /// folder; nil: nobody knows whose donations are meant.
    ///
    /// Where a mock server stands in for the list's own, the list's store is left alone.
    static func folder(
        for list: ContainerList, at server: ServerChoice, stateFolder: String,
        in environment: Environment
    ) throws(CommandFailure) -> String? {
        guard let named = list.donations, server.standsInFor == nil else {
            let application = list.donations?.application ?? list.application
            return application.map { stateFolder + "/donations/" + $0 }
        }
        do throws(ConfigurationError) {
            let folder = try list.resolve(named.store, "store", in: environment.source)
            guard !folder.hasPrefix("/") else { return folder }
            return environment.files.absolute(list.file)
                .split(separator: "/", omittingEmptySubsequences: false).dropLast()
                .joined(separator: "/") + "/" + folder
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Opens the store of a list; nil: there is none, and the list names none.
    ///
    /// - Parameter makes: Whether a store that is not there is made.
    /// - Throws: Also when the list names a store that is not there: a misspelled folder must not
    ///   pass for a store without donations.
    static func open(
        for list: ContainerList, at server: ServerChoice, stateFolder: String,
        in environment: Environment, makes: Bool = false
    ) throws(CommandFailure) -> DonationStore? {
        let folder = try folder(
            for: list, at: server, stateFolder: stateFolder, in: environment)
        guard let folder, let application = list.donations?.application ?? list.application else {
            return nil
        }
        guard makes || environment.files.facts(folder + "/donations.sqlite") != nil else {
            guard let named = list.donations, server.standsInFor == nil else { return nil }
            throw CommandFailure(
                .usage,
                list.error("there is no donation store in \(folder)", at: named.store.place)
                    .description,
                remedy: "name the folder of the app's store there; \"cksweep sync enable\" "
                    + "creates a missing one")
        }
        do throws(DonationError) {
            return try DonationStore(
                configuration: DonationConfiguration(
                    bundleIdentifier: application, directory: folder,
                    clock: environment.wallClock))
        } catch {
            throw CommandFailure(.usage, error.reason)
        }
    }
}
