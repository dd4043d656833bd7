import CommandLine
import FileSystem
import Host

/// The person's web browser.
struct Browser {
    let environment: Environment

    /// Opens an address; returns before it is shown, and without knowing whether it will be.
    ///
    /// - Throws: When there is no such program.
    func open(_ address: String) throws(FileError) {
        try environment.processes.startFree(
            Self.command(environment.variable("BROWSER"), for: address),
            variables: environment.variables)
    }

    /// The command that opens an address: the first of `$BROWSER`, where `%s` stands for the address, or
    /// the desktop's own.
    static func command(_ wish: String?, for address: String) -> [String] {
        let first = wish?.split(separator: ":").first ?? ""
        let words = first.split(separator: " ").map { String($0) }
        guard !words.isEmpty else { return ["xdg-open", address] }
        guard words.contains(where: { $0.contains("%s") }) else { return words + [address] }
        return words.map { word in
            word.split(separator: "%s", omittingEmptySubsequences: false).joined(separator: address)
        }
    }
}
