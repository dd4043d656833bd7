import CommandLine
import Configuration
import FileSystem

/// A credential that the command line points to, `env:NAME` or `file:PATH`: it never stands there itself.
enum CredentialSource {
    private static let bytesMax = 8 << 10

    /// Reads the credential.
    ///
    /// - Parameter option: What it was given with, for messages.
    static func read(
        _ text: String, option: String, in environment: Environment
    ) throws(CommandFailure) -> String {
        let value: String
        if text.hasPrefix("env:") {
            let name = String(text.dropFirst(4))
            guard let found = environment.variable(name) else {
                throw CommandFailure(
                    .usage, "\(option) needs the variable \(name), which is not set")
            }
            value = found
        } else if text.hasPrefix("file:") {
            value = try read(file: String(text.dropFirst(5)), option, environment.files)
        } else {
            throw CommandFailure(.usage, "\(option) must be env:NAME or file:PATH")
        }
        let trimmed = String(
            value.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        guard !trimmed.isEmpty, trimmed.utf8.count <= bytesMax,
            trimmed.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw CommandFailure(
                .usage, "\(option) (\(text)) is empty or contains invalid characters")
        }
        return trimmed
    }

    private static func read(
        file path: String, _ option: String, _ files: Files
    ) throws(CommandFailure) -> String {
        let path = files.absolute(path)
        guard let facts = files.facts(path) else {
            throw CommandFailure(.usage, "\(option) needs the file \(path), which does not exist")
        }
        guard facts.isOurs, facts.mode & 0o077 == 0 else {
            throw CommandFailure(
                .usage, "other users can read \(path)",
                remedy: "run \"chmod 600 \(path)\"")
        }
        do throws(FileError) {
            return String(decoding: try files.read(path, bytesMax: bytesMax), as: UTF8.self)
        } catch {
            throw CommandFailure(error)
        }
    }
}
