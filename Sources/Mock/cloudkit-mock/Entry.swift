import CommandLine
import MockCommands

/// The executable: one call.
@main
enum Entry {
    static func main() { Program.cloudkitMock.main() }
}
