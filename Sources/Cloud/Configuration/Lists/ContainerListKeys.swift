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
            meaning: "a server other than Apple's, and the PEM file of its certificate "
                + "authority. `env:NAME` reads a variable. If `CLOUDKIT_EMULATOR_URL` names "
                + "another server, the list is refused unless `--rehearsal` is given"),
        Row(keys: "`containers[].identifier`", meaning: "such as `iCloud.com.example.app`"),
        Row(
            keys: "`containers[].default`",
            meaning: "true for the container that `CKContainer.default()` returns; at most one. "
                + "`cksweep sync enable` stores the app's donations there"),
        Row(
            keys: "`containers[].schema`",
            meaning: "a `.ckdb` file, relative to the list. Its record types are used to find "
                + "data in the default zone, its `ASSET` fields to find assets"),
        Row(
            keys: "`containers[].recordTypes`",
            meaning: "more record types to scan for; `[]` states that there are none. A type "
                + "that the service does not know is an error: types belong to the environment, "
                + "not to the user"),
        Row(
            keys: "`containers[].retiredTypes`",
            meaning: "record types that were removed from the environment on purpose, and are "
                + "not expected anymore"),
        Row(
            keys: "`containers[].customZonesOnly`",
            meaning: "`true`: the app stores nothing in the private default zone, as with Core "
                + "Data or SwiftData. A record type of its schema without an index, which "
                + "cannot be listed there, is then reported as not in scope; one that can be "
                + "listed is still scanned"),
        Row(
            keys: "`containers[].othersByCascade`, `.leaveShared`",
            meaning: "instead of the list's"),
        Row(
            keys: "`containers[].zones`",
            meaning: "zones to look for even if no listing shows them"),
        Row(keys: "`containers[].credentials`", meaning: "instead of the list's"),
        Row(
            keys: "`databases`",
            meaning: "which of `private`, `shared`, `public` are in scope (default: all three). "
                + "The others are reported as not in scope, and may contain data after exit 0"),
        Row(
            keys: "`protect[]`",
            meaning: "data to keep: `container`, `zone` and `recordType`, any of them, select "
                + "it, and `reason` appears in the report. A plan that would delete kept "
                + "records through `DELETE_SELF` references is refused. A rule that matches "
                + "nothing of a user is a line in the report; one whose zone or record type is "
                + "spelled almost like an existing one is an error"),
        Row(
            keys: "`notInScope`",
            meaning: "declared containers that are not swept, each with a `reason`"),
        Row(
            keys: "`donations.store`",
            meaning: "the folder of the app's donation store, relative to the list, or "
                + "`env:NAME`: donations linked to a swept container are deleted with it "
                + "(default: `donations/APPLICATION` in the state folder, if it exists)"),
        Row(
            keys: "`donations.application`",
            meaning: "the app that made the donations, if it is not the list's `application`"),
        Row(
            keys: "`sync.interval`",
            meaning: "pause between two rounds of `cksweep sync --watch`, such as `\"15m\"`; at "
                + "least `1s` (default `\"1m\"`)"),
        Row(
            keys: "`sync.onEncryptedReset`",
            meaning: "what happens to donations when the user resets encrypted data: `\"drop\"` "
                + "(default) or `\"keep\"`"),
        Row(
            keys: "`caps.zones`",
            meaning: "a plan that deletes or leaves more zones is refused, when it is made and "
                + "again when it is executed"),
        Row(
            keys: "`caps.records`",
            meaning: "the same for records. Records inside zones count too, so each zone is "
                + "read once to count them"),
        Row(
            keys: "`caps.percent`",
            meaning: "the percentage of all records in scope, kept ones included, that may be "
                + "deleted. For lists with protect rules: it detects a rule that keeps less "
                + "than intended. `100` limits nothing, but counts everything. A plan with "
                + "records that cannot be counted is refused"),
        Row(
            keys: "`approvals`",
            meaning: "how many of the `approvers` must sign a plan (`cksweep plan sign`) before "
                + "`apply` executes it, in addition to the operator's confirmation; `sweep` is "
                + "then refused (default 0)"),
        Row(
            keys: "`approvers[]`",
            meaning: "who may sign: each with a `name` and a `key`, an Ed25519 public key as "
                + "the line between BEGIN and END of `openssl pkey -in KEY -pubout`"),
        Row(
            keys: "`othersByCascade`",
            meaning: "what happens if other users' records refer with `DELETE_SELF` to deleted "
                + "records, and so would be deleted as well: `\"refuse\"` (default) or "
                + "`\"allow\"`"),
        Row(
            keys: "`leaveShared`",
            meaning: "what happens to records that the user created in zones of others, before "
                + "those zones are left: `\"keep-mine\"` (default) leaves them to the zones' "
                + "owners, `\"delete-mine\"` deletes them first. Records of other users stay in "
                + "any case"),
        Row(
            keys: "`hooks[]`",
            meaning: "programs to run and addresses to notify when a sweep has ended, in this "
                + "order, at most 16: `after` (`\"verified\"`, `\"failed\"` or `\"any\"`), and "
                + "either `command`, an absolute path and its arguments, run without a shell, "
                + "or `webhook`, an `https://` address, with `secret` (`env:NAME` or "
                + "`file:PATH`), which signs its requests, and `ca` if its certificate is not "
                + "issued by one of the system's authorities. See [After the "
                + "deletion](../Sources/Sweep/Commands/Commands.docc/AfterTheDeletion.md)"),
        Row(
            keys: "`credentials.apiToken`, `.webAuthToken`",
            meaning: "where to find them: `env:NAME`, or `file:PATH` with mode 0600. Never the "
                + "secret itself. The service sends a new web token with each response: one in "
                + "a file is replaced there, so the file must be writable and not a link. "
                + "`\"login\"` as `webAuthToken` uses the token stored by `cksweep login`. See "
                + "[Getting the tokens](../Sources/Sweep/Commands/Commands.docc/GettingTheTokens.md)"
        ),
        Row(
            keys: "`credentials.keyID`, `.privateKey`",
            meaning: "a server-to-server key, for public databases"),
    ]
}
