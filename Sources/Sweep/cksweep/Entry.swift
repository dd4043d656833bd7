import CommandLine
import Commands

/// The executable: one call.
@main
enum Entry {
    static func main() { Program.cksweep.main() }
}
