import Basics
import FileSystem
import OpenSSL

/// Which program this is: the SHA-256 of the file that runs.
enum ProgramDigest {
    /// In hexadecimal; nil where the file cannot be read, and then evidence does not say it.
    static let current: String? = {
        do throws(FileError) {
            let file = try ByteFile(reading: "/proc/self/exe")
            var hash = SHA256()
            while let piece = try file.read(upTo: 1 << 20) { hash.update(piece) }
            return Hexadecimal.encode(hash.finish())
        } catch {
            return nil
        }
    }()
}
