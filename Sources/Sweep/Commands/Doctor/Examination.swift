import Basics
import CloudClient
import CloudModel
import CommandLine
import Configuration
import DonationStore
import Evidence
import HTTPClient

/// What the doctor found so far.
struct Examination {
    private let list: ContainerList
    private let obstacles: Obstacles
    private let console: Console
    private let environment: Environment
    private var table = TextTable()
    /// What stands in the way besides the obstacles in the list.
    private var problems: [String] = []
    /// That evidence will be unsigned, and what to do; nil: there is a key.
    private var unsigned: String?
    /// What the first of them is.
    private var status = ExitStatus.done

    private static let diskBytesMin: Int64 = 256 << 20
    private static let skewSecondsMax: Int64 = 300

    init(_ list: ContainerList, _ obstacles: Obstacles, _ console: Console) {
        self.list = list
        self.obstacles = obstacles
        self.console = console
        environment = console.environment
        for obstacle in obstacles.all { console.event(obstacle.event) }
        add(.fine, "cksweep", "version \(Program.cksweep.version)")
        add(
            .fine, list.file,
            "\(Counts.some(list.containers.count, "container")), \(list.environment.rawValue)")
    }

    private enum Verdict: String {
        case fine = "ok"
        case caution = "warning"
    }

    private func tell(_ subject: String, _ verdict: String, _ detail: String) {
        console.event(
            Event(
                "check",
                [
                    .init("subject", subject), .init("verdict", verdict), .init("detail", detail),
                ]))
    }

    private mutating func add(_ verdict: Verdict, _ subject: String, _ detail: String) {
        let tone: Style.Tone = verdict == .fine ? .good : .caution
        table.add([.init(verdict.rawValue, tone), .init(subject), .init(detail, .faint)])
        tell(subject, verdict.rawValue, detail)
    }

    /// Something stands in the way of exit 0.
    private mutating func fail(
        _ subject: String, _ detail: String, _ code: ExitStatus = .usage
    ) {
        problems.append("\(subject): \(detail)")
        tell(subject, "PROBLEM", detail)
        if status == .done { status = code }
    }

    // MARK: This machine

    mutating func checkMachine(_ folder: String) {
        if let facts = environment.files.facts(folder) {
            if !facts.isFolder {
                fail(folder, "is not a folder")
            } else if !facts.isOurs || facts.mode & 0o077 != 0 {
                fail(folder, "other users can read it; run \"chmod 700\" on it")
            } else if let above = environment.files.facts(folder + "/.."),
                above.mode & 0o1002 == 0o0002
            {
                // The journal refuses it as well: another folder could be put in its place.
                fail(
                    folder,
                    "every user can write to the folder above it; run \"chmod o-w\" on that")
            } else if !environment.files.isWritable(folder) {
                fail(folder, "is not writable")
            } else {
                add(.fine, folder, "only you have access")
            }
        } else {
            add(.fine, folder, "is created by the first run")
        }
        var existing = folder
        while environment.files.facts(existing) == nil, let slash = existing.lastIndex(of: "/"),
            slash > existing.startIndex
        {
            existing = String(existing[..<slash])
        }
        if let free = environment.files.freeBytes(existing) {
            let text = "\(TextTable.grouped(Int(free >> 20))) MiB free"
            if free < Self.diskBytesMin { fail("disk", text) } else { add(.fine, "disk", text) }
        }
        if environment.files.facts(KeyFolder(stateFolder: folder).privatePath) == nil {
            let suffix = folder.hasSuffix("/rehearsal") ? " --rehearsal" : ""
            let command = "\"cksweep evidence init\(suffix)\" creates the key"
            unsigned = "Evidence will be UNSIGNED: \(command)."
            add(.caution, "evidence", "UNSIGNED: \(command)")
        } else {
            add(.fine, "evidence", "is signed")
        }
    }

    mutating func checkDonations(at server: ServerChoice, _ stateFolder: String) async {
        let store: DonationStore?
        do throws(CommandFailure) {
            store = try DonationSource.open(
                for: list, at: server, stateFolder: stateFolder, in: environment)
        } catch {
            fail("donations", error.message, error.status)
            return
        }
        guard let store else {
            add(.fine, "donations", "there is no donation store")
            return
        }
        do throws(DonationError) {
            let rows = try await store.counts().values.reduce(0, +)
            var linked = 0
            for entry in list.containers {
                let zones = try await store.linkedZones(of: entry.id.rawValue)
                linked += zones.reduce(0) { $0 + $1.rows }
            }
            add(
                .fine, "donations",
                "\(TextTable.grouped(rows)) rows, \(TextTable.grouped(linked)) linked to "
                    + "these containers")
        } catch {
            fail("donations", error.reason, .discoveryIncomplete)
        }
        await store.flushAndClose()
    }

    // MARK: The service

    /// Asks the server, and each container whose credentials are there.
    mutating func checkService(at server: ServerChoice, _ stateFolder: String) async {
        var askable = list
        askable.containers.removeAll { !obstacles.askable.contains($0.id) }
        let connection: CloudConnection
        do throws(ConfigurationError) {
            connection = try CloudConnection(
                askable, at: server, in: console, stateFolder: stateFolder)
        } catch {
            fail(error.file, error.description)
            return
        }
        if await reaches(server, connection) {
            for entry in askable.containers { await checkContainer(entry, connection) }
        }
        connection.close()
    }

    /// Whether the server answers at all: otherwise no container has to be asked.
    private mutating func reaches(_ server: ServerChoice, _ connection: CloudConnection) async
        -> Bool
    {
        do throws(HTTPClientError) {
            let response = try await connection.knock()
            add(.fine, server.url, "reachable, and its certificate is valid")
            guard let text = response[header: "date"], let date = HTTPDate.parse(text)
            else { return true }
            let skew = abs(environment.wallClock.now.milliseconds - date.milliseconds) / 1000
            if skew > Self.skewSecondsMax {
                fail("clock", "\(skew) s from the server's")
            } else {
                add(
                    .fine, "clock",
                    skew < 2 ? "agrees with the server's" : "\(skew) s from the server's")
            }
            return true
        } catch {
            fail(server.url, error.message, .discoveryIncomplete)
            return false
        }
    }

    private mutating func checkContainer(
        _ entry: ContainerList.Entry, _ connection: CloudConnection
    ) async {
        func database(_ scope: Database.Scope) -> ReadOnlyDatabase {
            ReadOnlyDatabase(
                connection.database(
                    at: Database.Address(
                        container: entry.id, environment: list.environment, scope: scope)))
        }
        do throws(CloudError) {
            let user = try await database(.public).caller()
            let page = try await database(.private).zones()
            let more = page.moreComing ? " or more" : ""
            let person = user.givenName.map { " as \($0)" } ?? ""
            add(
                .fine, entry.id.rawValue,
                "signed in\(person); " + Counts.some(page.zones.count, "zone") + more)
        } catch {
            let (advice, code) = advice(error, entry)
            fail(entry.id.rawValue, "\(error.code.rawValue): \(error.reason)\(advice)", code)
        }
    }

    private func advice(
        _ error: CloudError, _ entry: ContainerList.Entry
    ) -> (String, ExitStatus) {
        let isSignIn = list.credentials(for: entry)?.webAuthToken?.source == .login
        return switch error.code {
        case .authenticationRequired where isSignIn:
            ("; run \"cksweep login\" to sign the user in", .notSignedIn)
        case .authenticationFailed, .authenticationRequired:
            ("; the token is missing, wrong or expired", .notSignedIn)
        case .accessDenied: ("; this token has no access to the container", .notSignedIn)
        default: ("", .discoveryIncomplete)
        }
    }

    // MARK: The end

    /// Shows what is well, then what is not, and in the end whether a sweep can be done.
    func finish() -> VerbResult {
        let text = ObstacleText(obstacles.all, others: problems)
        let rows = console.isQuiet ? [] : table.lines(console.style)
        let count = text.reasons.count
        let verdict =
            count == 0
            ? "Ready to sweep."
            : "Not ready: \(count) problem\(count == 1 ? " prevents" : "s prevent") exit 0."
        // Evidence is the least concern of who cannot begin.
        let notes = [count == 0 ? unsigned : nil].compactMap(\.self) + [verdict]
        let lines = rows + text.lines(console.style) + notes
        console.result(lines.joined(separator: "\n"))
        guard status == .done, let first = obstacles.all.first else { return .status(status) }
        let isSignIn = obstacles.all.allSatisfy { $0.kind == .signIn } && first.kind == .signIn
        return .status(isSignIn ? .notSignedIn : .usage)
    }
}
