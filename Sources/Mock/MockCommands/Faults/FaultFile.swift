import CommandLine
import FileSystem
import MockFaults

/// A file of faults, one a line.
struct FaultFile: Sendable {
    /// As it was given.
    let path: String
    let rules: [FaultRule]

    /// What the name of such a file ends with, where a folder is given.
    static let ending = ".faults"

    /// The last part of the path, without the ending.
    var name: String { Self.name(of: path) }

    private static func name(of path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        return last.hasSuffix(Self.ending) ? String(last.dropLast(Self.ending.count)) : last
    }

    /// Reads files, and all of a folder that end so.
    ///
    /// - Throws: With file, line and column.
    static func read(_ paths: [String], _ files: Files) throws(CommandFailure) -> [FaultFile] {
        var found: [FaultFile] = []
        for path in paths {
            guard files.facts(path)?.isFolder == true else {
                found.append(try FaultFile(path, files))
                continue
            }
            let names: [String]
            do throws(FileError) {
                names = try files.names(in: path).filter { $0.hasSuffix(ending) }
            } catch {
                throw CommandFailure(.usage, error.description)
            }
            guard !names.isEmpty else {
                throw CommandFailure(.usage, "\(path) has no file with the extension \(ending)")
            }
            for name in names { found.append(try FaultFile("\(path)/\(name)", files)) }
        }
        return found
    }

    private init(_ path: String, _ files: Files) throws(CommandFailure) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read(path, bytesMax: FaultScript.bytesMax)
        } catch {
            throw CommandFailure(.usage, error.description)
        }
        do throws(FaultError) {
            let script = try FaultScript(bytes, called: Self.name(of: path))
            (self.path, rules) = (path, script.rules)
        } catch {
            let place = [error.line, error.column].compactMap { $0.map { ":\($0)" } }.joined()
            throw CommandFailure(.usage, "\(path)\(place): \(error.message)")
        }
    }

    /// Some rules, and those of files behind them.
    ///
    /// - Throws: Where two have the same name: the second would take the place of the first.
    static func rules(
        of files: [FaultFile], beside others: [FaultRule] = []
    ) throws(CommandFailure) -> [FaultRule] {
        var owners: [String: String] = [:]
        let all =
            others.map { ($0, "--\(ServeOptions.fault.name)") }
            + files.flatMap { file in file.rules.map { ($0, file.path) } }
        for (rule, owner) in all {
            guard let other = owners.updateValue(owner, forKey: rule.id) else { continue }
            throw CommandFailure(
                .usage,
                "\(other == owner ? "two faults of \(owner)" : "\(other) and \(owner) both have a fault")"
                    + " named \"\(rule.id)\"")
        }
        return all.map(\.0)
    }

    /// - Throws: Where two files have one name, as folders of what is kept of them have it.
    static func requireNames(of files: [FaultFile]) throws(CommandFailure) {
        var owners: [String: String] = [:]
        for file in files {
            guard let other = owners.updateValue(file.path, forKey: file.name) else { continue }
            throw CommandFailure(
                .usage, "\(other) and \(file.path) are both named \"\(file.name)\"",
                remedy: "--keep-on-fail makes one folder per name; use different names")
        }
    }
}
