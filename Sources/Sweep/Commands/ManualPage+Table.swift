import CommandLine
import Configuration

extension ManualPage {
    static let command = ManualPage(
        "cksweep", "delete everything an app stores about a user in CloudKit, and verify it",
        description: [Program.summary, Program.caution],
        .program(files: [
            ("Pa ~/.local/state/cksweep", "The state folder: runs, evidence, sign-ins."),
            ("Pa Containers/*.json", "The container list, if there is only one."),
        ]))
    static let donations = ManualPage(
        "cksweep-donations", "donations to Siri and Spotlight, synchronized with the cloud",
        description: [
            "A local store holds an app's interactions, user activities and searchable "
                + "items on this machine. These verbs delete from it by Apple's rules and apply "
                + "deletions made in the app's containers."
        ], .verbs(["donations", "sync"]))
    static let containers = ManualPage(
        "cksweep-containers", section: 5, "list of the containers of an app",
        description: [
            "A container list names every CloudKit container that an app stores data in. It "
                + "is a JSON file; an unknown or repeated key is an error with line and column. "
                + "It never contains secrets."
        ],
        .file(
            keys: ContainerListKeys.rows.map(\.plain),
            files: [
                (
                    "Pa Containers/*.json",
                    "The default list when -c is not given, if there is only one."
                )
            ],
            example: [
                "{", "  \"version\": 1,", "  \"application\": \"com.example.notes\",",
                "  \"environment\": \"development\",",
                "  \"containers\": [{ \"identifier\": \"iCloud.com.example.notes\", \"default\": true }],",
                "  \"credentials\": {", "    \"apiToken\": \"env:CKSWEEP_API_TOKEN\",",
                "    \"webAuthToken\": \"login\"", "  }", "}",
            ]))
}
