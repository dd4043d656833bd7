import CloudModel
import CloudWire
import Foundation

/// Reads one large answer and prints by how many KiB the process grew for it at most, the answer
/// itself included. A process of its own, because the peak is the process's.
@main
enum AnswerMemory {
    static func main() throws {
        guard let shape = CommandLine.arguments.dropFirst().first.flatMap(Shape.init) else {
            print("usage: AnswerMemory", Shape.allCases.map(\.rawValue))
            exit(64)
        }
        // What is made once, however long the answer.
        _ = try? ReplyReader.read(
            Array(#"{"zones":[]}"#.utf8), status: 200, to: .read(.listZones(token: nil)))
        // Forgets the peak so far; where that is not allowed, what is printed is too much.
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        let before = try kibibytes("VmRSS")
        let body = shape.body
        var outcome = "taken"
        var held: CloudReply?
        do throws(CloudError) {
            held = try ReplyReader.read(body, status: 200, to: shape.command)
        } catch {
            outcome = "\(error.code.rawValue) \(error.reason)"
        }
        let growth = try kibibytes("VmHWM") - before
        withExtendedLifetime((body, held)) { print(growth, body.count, outcome) }
    }

    private static func kibibytes(_ key: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(key + ":") }
        return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
}
