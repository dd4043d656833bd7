import Basics
import CommandLine
import DonationStore
import Donations
import FileSystem
import FoundationEssentials

/// Whose donations a verb is about, and where they are.
enum DonationOptions {
    static let app = Option(
        "app", value: .bundleIdentifier, isNeeded: true,
        "bundle identifier of the app that made the donations (required)")
    static let store = Option(
        "store", value: .directory,
        "folder of the store (default: donations/BUNDLE-ID in the state folder)")
    static let rehearsal = Option(
        CommonOptions.rehearsal.name, "use the store for rehearsals (with the state folder's)")
    static let strict = Option(
        "strict", "refuse (exit 3) and delete nothing if an identifier matches nothing")
    static let everywhere = Option(
        "everywhere", "delete on all of the user's devices, not only on this one")
    static let manifest = Option(
        "manifest", value: .file,
        "the app's Info.plist, or the same as JSON: activities of other types are refused")
    static let yes = Option("yes", short: "y", "do not prompt")

    /// Options of every verb of the family.
    static let common = [app, store, rehearsal, CommonOptions.state] + CommonOptions.output

    /// A date such as `2026-01-15T08:30:00Z`, or a whole day.
    static func date(_ text: String?, _ option: Option) throws(UsageError) -> Timestamp? {
        guard let text else { return nil }
        guard let moment = Timestamp(iso8601: text) ?? Timestamp(iso8601: text + "T00:00:00Z")
        else {
            throw UsageError(
                "--\(option.name) is \"\(text)\"; expected a date such as 2026-01-15 or "
                    + "2026-01-15T08:30:00Z")
        }
        return moment
    }
}

/// A store that is open for one verb.
struct OpenDonations {
    let store: DonationStore
    let folder: String
    /// What is wrong with the manifest.
    let findings: [String]

    /// - Parameter makes: Whether a store that is not there is made.
    init(
        _ arguments: Arguments, in environment: Environment, makes: Bool = false
    ) throws(CommandFailure) {
        let app = arguments.text(DonationOptions.app) ?? ""
        folder =
            arguments.text(DonationOptions.store).map { environment.files.absolute($0) }
            ?? environment.stateFolder(
                arguments.text(CommonOptions.state),
                isRehearsal: arguments.has(DonationOptions.rehearsal)) + "/donations/\(app)"
        guard makes || environment.files.facts(folder) != nil else {
            throw CommandFailure(
                .usage, "there is no donation store in \(folder)",
                remedy: "\"cksweep donations donate\" creates one")
        }
        do throws(FileError) {
            if makes { try environment.files.makeFolder(folder) }
        } catch {
            throw CommandFailure(error)
        }
        var configuration = DonationConfiguration(
            bundleIdentifier: app, directory: folder, clock: environment.wallClock)
        configuration.isStrict = arguments.has(DonationOptions.strict)
        findings = try Self.declare(arguments, in: environment, &configuration)
        do throws(DonationError) {
            store = try DonationStore(configuration: configuration)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Takes over what the app declares.
    private static func declare(
        _ arguments: Arguments, in environment: Environment,
        _ configuration: inout DonationConfiguration
    ) throws(CommandFailure) -> [String] {
        guard let path = arguments.text(DonationOptions.manifest) else { return [] }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try environment.files.read(path)
        } catch {
            throw CommandFailure(error)
        }
        do throws(DonationError) {
            return try configuration.declare(propertyList: Data(bytes))
        } catch {
            throw CommandFailure(.usage, "\(path): \(error.reason)")
        }
    }

    /// Runs `work` and closes the store, whatever happens.
    func use<Result: Sendable>(
        _ work: (DonationStore) async throws(DonationError) -> Result
    ) async throws(CommandFailure) -> Result {
        do throws(DonationError) {
            let result = try await work(store)
            await store.flushAndClose()
            return result
        } catch {
            await store.flushAndClose()
            throw CommandFailure(error)
        }
    }
}

extension CommandFailure {
    /// What a store's failure means for the exit status.
    init(_ error: DonationError) {
        switch error.code {
        case .cannotOpen, .foreignStore, .invalid, .clientStateTooLong:
            self.init(.usage, error.reason)
        case .busy:
            self.init(.locked, error.reason, remedy: "try again after the other process has ended")
        case .unmatchedIdentifiers:
            self.init(
                .refused, error.reason,
                remedy: "\"cksweep donations preview\" lists near misses")
        default: self.init(.internalError, error.reason)
        }
    }
}
