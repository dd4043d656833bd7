import CloudClient
import CloudCourier
import CloudModel
import CommandTable
import Configuration
import DonationStore
import HTTPClient

/// Checks that each container can be reached and swept.
struct DoctorCommand: Command {
    static let verb = Verb(
        "doctor", "check that each container can be reached and swept",
        discussion: [
            "Looks at the list, the secrets' places, the state folder, the disk, the donation store, the server's "
                + "certificate and clock, and asks each container who is signed in and for one "
                + "page of zones. Changes nothing."
        ],
        options: CommonOptions.scope + CommonOptions.output,
        examples: [.init("cksweep doctor -c Containers/app.json", "before the first sweep")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let session = try SweepSession(arguments, in: environment, asksToSignIn: false)
        var examination = Examination(session)
        examination.checkMachine()
        await examination.checkDonations()
        await examination.checkServer()
        for entry in session.list.containers { await examination.checkContainer(entry) }
        session.connection.close()
        await session.donations?.flushAndClose()
        return examination.finish()
    }

    /// What was found so far.
    private struct Examination {
        private let session: SweepSession
        private let environment: Environment
        private var table = TextTable()
        private var status = ExitStatus.done
        private var problems = 0

        private static let diskBytesMin: Int64 = 256 << 20
        private static let skewSecondsMax: Int64 = 300

        init(_ session: SweepSession) {
            self.session = session
            environment = session.console.environment
        }

        private enum Verdict: String {
            case fine = "ok"
            case caution = "warning"
            case bad = "PROBLEM"
        }

        private mutating func add(
            _ verdict: Verdict, _ subject: String, _ detail: String, _ code: ExitStatus = .usage
        ) {
            let tone: Style.Tone =
                switch verdict {
                case .fine: .good
                case .caution: .caution
                case .bad: .bad
                }
            table.add([.init(verdict.rawValue, tone), .init(subject), .init(detail, .faint)])
            session.console.event(
                Event(
                    "check",
                    [
                        .init("subject", subject), .init("verdict", verdict.rawValue),
                        .init("detail", detail),
                    ]))
            guard verdict == .bad else { return }
            problems += 1
            if status == .done { status = code }
        }

        mutating func checkMachine() {
            add(.fine, "cksweep", "version \(Tool.version)")
            let list = session.list
            add(
                .fine, list.file,
                "\(Counts.some(list.containers.count, "container")), \(list.environment.rawValue)")
            let folder = session.stateFolder
            if let facts = environment.files.facts(folder) {
                if !facts.isFolder {
                    add(.bad, folder, "is not a folder")
                } else if !facts.isOurs || facts.mode & 0o077 != 0 {
                    add(.bad, folder, "others may look into it; \"chmod 700\" makes it yours alone")
                } else if !environment.files.isWritable(folder) {
                    add(.bad, folder, "cannot be written into")
                } else {
                    add(.fine, folder, "yours alone")
                }
            } else {
                add(.fine, folder, "is made at the first run")
            }
            var existing = folder
            while environment.files.facts(existing) == nil, let slash = existing.lastIndex(of: "/"),
                slash > existing.startIndex
            {
                existing = String(existing[..<slash])
            }
            if let free = environment.files.freeBytes(existing) {
                let text = "\(TextTable.grouped(Int(free >> 20))) MiB free"
                add(free < Self.diskBytesMin ? .bad : .fine, "disk", text)
            }
        }

        mutating func checkDonations() async {
            guard let store = session.donations else {
                add(.fine, "donations", "there is no donation store")
                return
            }
            do throws(DonationError) {
                let rows = try await store.counts().values.reduce(0, +)
                var linked = 0
                for entry in session.list.containers {
                    let zones = try await store.linkedZones(of: entry.id.rawValue)
                    linked += zones.reduce(0) { $0 + $1.rows }
                }
                add(
                    .fine, "donations",
                    "\(TextTable.grouped(rows)) rows, \(TextTable.grouped(linked)) linked to "
                        + "these containers")
            } catch {
                add(.bad, "donations", error.reason, .discoveryIncomplete)
            }
        }

        mutating func checkServer() async {
            let name = session.server.url
            do throws(HTTPClientError) {
                let response = try await session.connection.knock()
                add(.fine, name, "answers, and its certificate is good")
                guard let text = response[header: "date"], let date = HTTPDate.parse(text)
                else { return }
                let skew = abs(environment.wallClock.now.milliseconds - date.milliseconds) / 1000
                add(
                    skew > Self.skewSecondsMax ? .bad : .fine, "clock",
                    skew < 2 ? "agrees with the server's" : "\(skew) s from the server's")
            } catch {
                add(.bad, name, error.message, .discoveryIncomplete)
            }
        }

        mutating func checkContainer(_ entry: ContainerList.Entry) async {
            func address(_ scope: Database.Scope) -> Database.Address {
                Database.Address(
                    container: entry.id, environment: session.list.environment, scope: scope)
            }
            let name = entry.id.rawValue
            do throws(CloudError) {
                let caller = ReadOnlyDatabase(session.connection.database(at: address(.public)))
                let user = try await caller.caller()
                let zones = ReadOnlyDatabase(session.connection.database(at: address(.private)))
                let page = try await zones.zones()
                let person = user.givenName.map { "\($0), " } ?? ""
                let more = page.moreComing ? " or more" : ""
                add(
                    .fine, name,
                    "signed in as \(person)\(CoverageMap.short(user.userRecordName)); "
                        + Counts.some(page.zones.count, "zone") + more)
            } catch {
                let (advice, code) = advice(error, entry)
                add(.bad, name, "\(error.code.rawValue): \(error.reason)\(advice)", code)
            }
        }

        private func advice(
            _ error: CloudError, _ entry: ContainerList.Entry
        ) -> (String, ExitStatus) {
            let isSignIn =
                session.list.credentials(for: entry)?.webAuthToken?.source == .login
            return switch error.code {
            case .authenticationRequired where isSignIn:
                ("; \"cksweep login\" signs the person in", .notSignedIn)
            case .authenticationFailed, .authenticationRequired:
                ("; the token is missing, wrong or expired", .notSignedIn)
            case .accessDenied: ("; this token may not use the container", .notSignedIn)
            default: ("", .discoveryIncomplete)
            }
        }

        func finish() -> VerbResult {
            session.console.result(table.lines(session.console.style).joined(separator: "\n"))
            session.console.result(
                problems == 0 ? "Ready to sweep." : "Not ready: \(problems) problems.")
            return .status(status)
        }
    }
}
