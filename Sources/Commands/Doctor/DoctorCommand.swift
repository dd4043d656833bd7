import CommandTable
import Configuration

/// Checks that each container can be reached and swept, and tells everything that is missing at once.
struct DoctorCommand: Command {
    static let verb = Verb(
        "doctor", "check that each container can be reached and swept",
        discussion: [
            "Looks at the list, the secrets' places, the state folder, the disk, the donation store, the "
                + "key for evidence, the server's certificate and clock, and asks each container who is "
                + "signed in and for one page of zones. Changes nothing.",
            "Everything that stands in the way of exit 0 is told at once; what the list itself lacks, "
                + "with its line, as \"containers check\" and \"containers init\" tell it.",
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
