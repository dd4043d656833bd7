import Commands

/// The executable: one call.
@main
enum Entry {
    static func main() { Tool.main() }
}
