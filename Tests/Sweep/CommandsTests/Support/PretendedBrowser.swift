import AsyncOperations
import CommandWorld
import Foundation

/// A browser that is curl: opens the page it is started with, and signs somebody in where that leads.
final class PretendedBrowser: Sendable {
    private let user: String
    private let authority: String
    private let jar: String
    /// The addresses it was started with.
    let opened = Locked<[String]>([])
    /// What it was shown last.
    let shown = Locked<[String]>([])

    /// - Parameters:
    ///   - authority: The file with the mock server's certificate authority.
    ///   - folder: For cookies.
    init(signingIn user: String, authority: String, folder: String) {
        self.user = user
        self.authority = authority
        jar = folder + "/cookies"
    }

    /// Stands for the program.
    var processes: PretendedProcesses {
        PretendedProcesses { [self] arguments, _ in
            await open(arguments.last ?? "")
            return 0
        }
    }

    private func open(_ address: String) async {
        opened.withLock { $0.append(address) }
        let page = await curl(["-c", jar, address])
        let url = Self.value(of: "data-url", in: page).removingPercentEncoding ?? ""
        let form = await curl(["--cacert", authority, url])
        var words = ["--cacert", authority, "-b", jar, "-L", "--data-urlencode", "user=\(user)"]
        for name in ["apiToken", "origin", "callback", "state"] {
            let field = form.components(separatedBy: "name=\"\(name)\"").last ?? ""
            words += ["--data-urlencode", "\(name)=\(Self.value(of: "value", in: field))"]
        }
        let target = url.prefix { $0 != "?" }
        var last = await curl(words + [String(target)])
        // The page posts the token to the one that opened it, which sends it on.
        if let token = last.firstMatch(of: #/<textarea[^>]*>([^<]*)</#)?.1,
            let origin = address.firstMatch(of: #/^http://[^/]*/#)
        {
            last = await curl([
                "-H", "Origin: \(origin.0)", "--data-urlencode", "ckWebAuthToken=\(token)",
                "--data-urlencode", "state=\(Self.value(of: "data-state", in: page))",
                "\(origin.0)/token",
            ])
        }
        shown.withLock { [last] in $0.append(last) }
    }

    /// The value of the first attribute of a name.
    private static func value(of name: String, in page: String) -> String {
        let rest = page.components(separatedBy: "\(name)=\"").dropFirst().first ?? ""
        return String(rest.prefix { $0 != "\"" })
    }
}
