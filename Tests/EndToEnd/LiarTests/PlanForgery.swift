import Basics
import Foundation
import Liar
import OpenSSL
import Testing

/// One thing that somebody changed in a plan file, after which he made its digest fit again.
struct PlanForgery: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let change: @Sendable (inout [Value]) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout [Value]) -> Void) {
        testDescription = name
        self.change = change
    }

    /// - Parameter fitsDigest: Whether the digest at the end is made anew.
    func forge(_ file: String, fitsDigest: Bool) throws {
        let url = URL(filePath: file)
        var lines = try Data(contentsOf: url).split(separator: 0x0A).map { line in
            guard let value = Value(Array(line)) else { throw LiarError("a line is not JSON") }
            return value
        }
        change(&lines)
        if fitsDigest, var last = lines.last, last["digest"] != nil {
            var digest = SHA256()
            for line in lines.dropLast() { digest.update(line.bytes + [0x0A]) }
            last["digest"] = .string(Hexadecimal.encode(digest.finish()))
            lines[lines.count - 1] = last
        }
        try Data(lines.flatMap { $0.bytes + [0x0A] }).write(to: url)
    }

    static let all: [PlanForgery] = [
        PlanForgery("the protected zone among those to go") { lines in
            addName(Population.protectedZone, to: "zones", in: &lines)
        },
        PlanForgery("another zone among those to go") { addName("More", to: "zones", in: &$0) },
        PlanForgery("a protected record among those to go") { lines in
            addName("receipt", to: "records", in: &lines)
        },
        PlanForgery("another person's subscription among those to go") { lines in
            addName("\(Population.other)-private-Note", to: "subscriptions", in: &lines)
        },
        PlanForgery("nothing kept") { lines in lines.removeAll { $0["keep"] != nil } },
        PlanForgery("the first step missing") { lines in lines.remove(at: 1) },
        PlanForgery("no steps at all") { lines in lines.removeAll { $0["delete"] != nil } },
        PlanForgery("the first step twice") { lines in lines.insert(lines[1], at: 1) },
        PlanForgery("the steps in another order") { lines in
            lines[1..<(lines.count - 1)].reverse()
        },
        PlanForgery("a step in a container out of scope") { lines in
            var step = lines[1]
            step["container"] = .string(Population.outside)
            lines.insert(step, at: 1)
        },
        PlanForgery("another person") { lines in
            let containers = lines[0]["containers"]?.elements ?? []
            lines[0]["containers"] = .array(
                containers.map { container in
                    var container = container
                    container["user"] = "user-0123456789abcdef"
                    return container
                })
        },
        PlanForgery("another environment") { $0[0]["environment"] = "production" },
        PlanForgery("fewer databases") { $0[0]["databases"] = ["private"] },
        PlanForgery("another container") { lines in
            let containers = lines[0]["containers"]?.elements ?? []
            lines[0]["containers"] = .array(Array(containers.dropLast()))
        },
        PlanForgery("a longer life") { $0[0]["expires"] = 3_000_000_000_000 },
        PlanForgery("another nonce") { $0[0]["nonce"] = "00000000000000000000000000000000" },
        PlanForgery("another server") { $0[0]["server"] = "https://elsewhere.example" },
        PlanForgery("smaller sums") { lines in
            for (index, line) in lines.enumerated() where line["digest"] != nil {
                for sum in ["zones", "records", "subscriptions"] where line[sum] != nil {
                    lines[index][sum] = 0
                }
            }
        },
        PlanForgery("no end") { $0.removeLast() },
    ]

    private static func addName(_ name: String, to kind: String, in lines: inout [Value]) {
        for index in lines.indices where lines[index]["delete"]?.text == kind {
            let names = lines[index]["names"]?.elements ?? []
            lines[index]["names"] = .array(names + [.string(name)])
            return
        }
    }
}
