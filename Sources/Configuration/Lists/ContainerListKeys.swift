/// The keys of a container list and what each means: the table in `Containers/README.md` and the manual page.
package enum ContainerListKeys {
    /// A row, in Markdown as the table has it.
    package struct Row: Sendable, Hashable {
        package let keys: String
        package let meaning: String

        /// `| key | meaning |`
        package var markdown: String { "| \(keys) | \(meaning) |" }

        /// Without marks: links are their words.
        package var plain: (name: String, about: String) {
            (Self.unmarked(keys), Self.unmarked(meaning))
        }

        private static func unmarked(_ text: String) -> String {
            var result = ""
            var rest = text[...]
            while let character = rest.popFirst() {
                switch character {
                case "`": break
                case "[" where rest.drop(while: { $0 != "]" }).hasPrefix("]("):
                    result += rest.prefix { $0 != "]" }
                    rest = rest.drop { $0 != ")" }.dropFirst()
                default: result.append(character)
                }
            }
            return result
        }
    }

    package static let rows = [
        Row(keys: "`version`", meaning: "1"),
        Row(keys: "`application`", meaning: "bundle identifier; shown in reports"),
        Row(
            keys: "`environment`",
            meaning: "`development` or `production`; the latter also needs `--production`"),
        Row(
            keys: "`server.url`, `server.ca`",
            meaning: """
                a server other than Apple's, and the PEM file of its authority. `env:NAME` reads a \
                variable. Where `CLOUDKIT_EMULATOR_URL` names another server, the list is refused \
                unless `--rehearsal` is said
                """),
        Row(keys: "`containers[].identifier`", meaning: "such as `iCloud.com.example.app`"),
        Row(
            keys: "`containers[].default`",
            meaning: """
                true for the container that `CKContainer.default()` is; at most one. `cksweep sync \
                enable` keeps the app's donations there
                """),
        Row(
            keys: "`containers[].schema`",
            meaning: """
                a `.ckdb` file, relative to the list. Its record types are how data in the default \
                zone is found, its `ASSET` fields how assets are
                """),
        Row(
            keys: "`containers[].recordTypes`",
            meaning: """
                more record types to look for; `[]` states that there are none. A type that the \
                service does not know is an error: types belong to the environment, not to the \
                person
                """),
        Row(
            keys: "`containers[].retiredTypes`",
            meaning: """
                record types that are gone from the environment on purpose, so that nobody misses \
                them
                """),
        Row(
            keys: "`containers[].customZonesOnly`",
            meaning: """
                `true`: the app keeps nothing in the private default zone, as one does that stores \
                with Core Data or SwiftData. A record type of its schema that has no index, and so \
                cannot be listed there, is then reported as not in scope; one that can be listed is \
                scanned all the same
                """),
        Row(
            keys: "`containers[].othersByCascade`, `.leaveShared`",
            meaning: "instead of the list's"),
        Row(
            keys: "`containers[].zones`",
            meaning: "zones to look for even when no listing shows them"),
        Row(keys: "`containers[].credentials`", meaning: "instead of the list's"),
        Row(
            keys: "`databases`",
            meaning: """
                which of `private`, `shared`, `public` are in scope; all three unless said \
                otherwise. What is left out is reported as not in scope, and may hold data after a \
                run that ended in exit 0
                """),
        Row(
            keys: "`protect[]`",
            meaning: """
                what stays: `container`, `zone` and `recordType`, any of them, say what is meant, \
                and `reason` appears in the report. What refers with `DELETE_SELF` to something \
                that goes would go along: such a plan is refused. A rule that matches nothing \
                of a user is a line in the report; one whose zone or record type is spelled nearly \
                like one that exists is an error
                """),
        Row(
            keys: "`notInScope`",
            meaning: "declared containers that are left alone, each with a `reason`"),
        Row(
            keys: "`donations.store`",
            meaning: """
                the folder of the app's donation store, beside the list when relative, or \
                `env:NAME`: what is linked to a swept container goes with it. Without the key, \
                `donations/APPLICATION` in the state folder is used if it is there
                """),
        Row(
            keys: "`donations.application`",
            meaning: "whose donations those are, when it is not the list's `application`"),
        Row(
            keys: "`sync.interval`",
            meaning: """
                the pause between two rounds of `cksweep sync --watch`, such as `"15m"`; at least \
                `1s`, `"1m"` unless said otherwise
                """),
        Row(
            keys: "`sync.onEncryptedReset`",
            meaning: """
                what becomes of donations when the person resets encrypted data: `"drop"` (unless \
                said otherwise) or `"keep"`
                """),
        Row(
            keys: "`caps.zones`",
            meaning: """
                a plan that deletes or leaves more zones is refused, when it is made and again \
                when it is carried out
                """),
        Row(
            keys: "`caps.records`",
            meaning: """
                the same for records. Those inside of zones count like those that are named, so \
                that each zone is read once to count them
                """),
        Row(
            keys: "`caps.percent`",
            meaning: """
                of a hundred records that were seen in scope, kept ones included, how many may go. \
                For lists that keep something: a rule that keeps less than was meant is noticed. \
                `100` caps nothing, but has everything counted. What cannot be counted is refused
                """),
        Row(
            keys: "`approvals`",
            meaning: """
                how many of the `approvers` must have signed a plan (`cksweep plan sign`) before \
                `apply` carries it out, besides the operator's own yes; then `sweep` is refused. 0 \
                unless said otherwise
                """),
        Row(
            keys: "`approvers[]`",
            meaning: """
                who may sign: a `name` and a `key` of their own, an Ed25519 public key as the line \
                between BEGIN and END of `openssl pkey -in KEY -pubout`
                """),
        Row(
            keys: "`othersByCascade`",
            meaning: """
                what is done when other people's records refer with `DELETE_SELF` to what is \
                deleted, and so would be deleted as well: `"refuse"` (unless said otherwise) or \
                `"allow"`
                """),
        Row(
            keys: "`leaveShared`",
            meaning: """
                what becomes of the records that the person created in zones of others before \
                those are left: `"keep-mine"` (unless said otherwise) leaves them with the zones' \
                owners, `"delete-mine"` deletes them first. What others have there stays in any \
                case
                """),
        Row(
            keys: "`hooks[]`",
            meaning: """
                what is told how a sweep ended, in this order and at most 16: `after` \
                (`"verified"`, `"failed"` or `"any"`), and either `command`, an absolute path and \
                its arguments, which no shell reads, or `webhook`, an `https://` address, with \
                `secret` (`env:NAME` or `file:PATH`), which its requests are signed with, and `ca` \
                where its certificate is not one of the system's. See [After the \
                deletion](../Sources/Commands/Commands.docc/AfterTheDeletion.md)
                """),
        Row(
            keys: "`credentials.apiToken`, `.webAuthToken`",
            meaning: """
                where to find them: `env:NAME`, or `file:PATH` with mode 0600. Never the secret \
                itself. The service sends a new web token with each answer: one in a file is \
                replaced there, so the file must be writable and no link. `"login"` as \
                `webAuthToken`: what `cksweep login` has kept. See [Getting the \
                tokens](../Sources/Commands/Commands.docc/GettingTheTokens.md)
                """),
        Row(
            keys: "`credentials.keyID`, `.privateKey`",
            meaning: "a server-to-server key, for public databases"),
    ]
}
