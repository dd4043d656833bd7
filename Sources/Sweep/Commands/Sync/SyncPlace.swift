import CloudModel
import CommandLine
import Configuration

/// Whose donations a verb of the family is about: what is known before their store is opened.
struct SyncPlace: Sendable {
    let console: Console
    let list: ContainerList
    let server: ServerChoice
    let stateFolder: String
    let application: String
    /// Where the store is, or would be.
    let folder: String

    /// Reads the list; contacts nobody.
    init(_ arguments: Arguments, in environment: Environment) throws(CommandFailure) {
        console = try Console(arguments, in: environment)
        list = try ContainerList.read(arguments, in: environment)
        server = try list.server(arguments, in: environment)
        console.begin(at: server.facts)
        stateFolder = environment.stateFolder(
            arguments.text(CommonOptions.state), isRehearsal: server.facts.isRehearsal)
        let folder = try DonationSource.folder(
            for: list, at: server, stateFolder: stateFolder, in: environment)
        guard let folder, let application = list.donations?.application ?? list.application else {
            throw CommandFailure(
                .usage,
                "\(list.file) names no \"application\", so its donations cannot be found")
        }
        self.folder = folder
        self.application = application
    }

    /// The container in whose private database donations are exchanged.
    var defaultContainer: Container.ID? {
        let containers = list.containers
        return containers.first { $0.isDefault }?.id
            ?? (containers.count == 1 ? containers.first?.id : nil)
    }

    /// That there is no store, for verbs that cannot do without one.
    var nothing: CommandFailure {
        CommandFailure(
            .usage, "there is no donation store of \(application) in \(folder)",
            remedy: "\"cksweep donations donate\" or \"cksweep sync enable\" creates one")
    }

    /// The same for a person who only asks: no mistake, there is just nothing yet.
    var nothingToSync: String {
        console.style.text("NOTHING TO SYNC", .good)
            + ": there is no donation store of \(application) in \(folder); to create one, run "
            + "\"cksweep sync enable\""
    }
}
