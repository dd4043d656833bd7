import CloudCommandLine
import CommandLine
import Configuration

/// Checks that each container can be reached and swept, and tells everything that is missing at once.
struct DoctorCommand: Command {
    static let verb = Verb(
        "doctor", "check for everything that prevents exit 0",
        discussion: [
            "Checks the list, the files with secrets, the state folder, the disk, the donation "
                + "store, the signing key, the server's certificate and clock, and asks each "
                + "container for the signed-in user and one page of zones. Changes nothing.",
            "Reports everything that prevents exit 0 at once. What the list itself lacks is "
                + "reported with its line, as by \"containers check\" and \"containers init\".",
        ],
        options: CommonOptions.scope + CommonOptions.output,
        examples: [.init("cksweep doctor -c Containers/app.json", "before the first sweep")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let list = try ContainerList.read(arguments, in: environment)
        let obstacles = Obstacles(
            list, stateFolder: arguments.text(CommonOptions.state), in: environment)
        var server: ServerChoice?
        if obstacles.server != nil {
            let meant = try list.server(arguments, in: environment)
            console.begin(at: meant.facts)
            server = meant
        }
        let stateFolder = environment.stateFolder(
            arguments.text(CommonOptions.state), isRehearsal: server?.facts.isRehearsal ?? false)
        var examination = Examination(list, obstacles, console)
        examination.checkMachine(stateFolder)
        if let server {
            await examination.checkDonations(at: server, stateFolder)
            await examination.checkService(at: server, stateFolder)
        }
        return examination.finish()
    }
}
