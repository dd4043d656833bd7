extension FidelityLedger {
    /// Accounts and devices.
    static let accounts: [FidelityRule] = [
        FidelityRule(
            1, .accounts, .documented,
            asked: "a device without a usable account (none, restricted, not determined) "
                + "accesses a private or shared database",
            answered: "the whole request is refused with 421 and a sign-in address; nothing is "
                + "stored",
            [
                .headers: "CKError 9",
                .sqliteData: "noAccount, restrictedAccount, accountNotDetermined",
            ],
            .tests(["A-1", "C-1"])),
        FidelityRule(
            2, .accounts, .documented,
            asked: "an account is temporarily unavailable",
            answered: "error 36: a client keeps its data and starts nothing new until that changes",
            [.headers: "CKError 36", .sqliteData: "accountTemporarilyAvailable"],
            .reason("an unavailable account is known only to the device")),
        FidelityRule(
            3, .accounts, .documented,
            asked: "another user signs in on a device",
            answered: "the device reads and writes the data of the new user",
            [.headers: "CKSyncEngineEvent"],
            .tests(["A-3"])),
        FidelityRule(
            4, .accounts, .inferred,
            asked: "an app changes data while no user is signed in",
            answered: "it is uploaded after the sign-in, and data that the server already has "
                + "is not duplicated",
            [.sqliteData: "signInUploadsLocalRecordsToCloudKit"],
            .reason("what an app keeps on sign-in and sign-out is decided by the sync engine")),
        FidelityRule(
            5, .accounts, .inferred,
            asked: "a user signs out",
            answered: "the app drops its synchronized data, or passes it to its delegate",
            [.sqliteData: "signOutClearsUserDatabaseAndMetadatabase"],
            .reason("what an app keeps on sign-in and sign-out is decided by the sync engine")),
        FidelityRule(
            6, .accounts, .documented,
            asked: "a save to a database that is full",
            answered: "the item fails with QUOTA_EXCEEDED: in a private database the user's "
                + "storage counts, in a shared one its owner's, in a public one the app's",
            [.headers: "CKError 25"],
            change: .words("the acts `fill-quota` and `free-quota`"),
            .tests(["A-6"])),
        FidelityRule(
            choice: "full-storage", .accounts, .ours,
            asked: "saves and deletions while storage is full",
            answered: "no save is accepted until storage is free; a deletion frees the bytes of "
                + "what it deletes, and a save needs the bytes by which its record grows, "
                + "assets included",
            on: "2026-11-23",
            .tests([
                "A-6 a user's full storage refuses saves, and every other request still works",
                "A-6 what is deleted makes so much room again",
                "A-6 a batch that does not fit takes no room",
            ])),
        FidelityRule(
            choice: "changed-terms", .accounts, .inferred,
            asked: "a user has not accepted changed terms of the service",
            answered: "421 AUTHENTICATION_REQUIRED for every request, with an address where "
                + "signing in accepts the terms; natively 9, not authenticated",
            [.issues: "tact/public#42"],
            change: .words("the acts `change-terms` and `accept-terms`"),
            .tests([
                "a user who has not accepted changed terms is asked to sign in, on every device",
                "changed terms lead to the page to sign in at, where they are accepted",
            ])),
        FidelityRule(
            choice: "restricted-user", .accounts, .ours,
            asked: "a user with restricted access sends a request",
            answered: "403 ACCESS_DENIED, except `users/…`",
            [.documentation: "Changing Access Controls on User Data; it does not name the error"],
            on: "2026-11-20",
            .tests([
                "a restricted user is refused everything but users and unrestrict",
                "a credential reaches what Apple says, and nothing else",
            ])),
        FidelityRule(
            choice: "signed-out-session", .accounts, .ours,
            asked: "a web token of a device that has signed out",
            answered: """
                421 AUTHENTICATION_REQUIRED; the token works again after a sign-in on the device
                """,
            on: "2026-11-20",
            .tests([
                "A-1",
                "a signed-out session gets the sign-in address, and no new token",
                "who signs in gets a token of that device, and the old one works again",
            ])),
        FidelityRule(
            choice: "device-of-a-record", .accounts, .ours,
            asked: "`deviceID` of a record",
            answered: "the device that the web token was issued for; otherwise `\"2\"`, the "
                + "service's value for web clients",
            [.photosDownloader: "records"],
            on: "2026-11-20",
            .tests(["records name the devices that made and changed them"])),
        FidelityRule(
            choice: "discover-everybody", .accounts, .ours,
            asked: "`GET users/discover` and `users/lookup/contacts`",
            answered: "all users know one another: every other discoverable user, at most 200; "
                + "the service answers the first with 500 (set a fault for that)",
            [.mistKit: "users/discover"],
            on: "2026-11-23",
            change: .words("`discoverable` of the user"),
            .tests(["users know one another, and not themselves"])),
        FidelityRule(
            choice: "discoverable", .accounts, .ours,
            asked: "`users/discover` or a lookup of a user",
            answered: "found unless the user is not discoverable; others are omitted, or NOT_FOUND",
            on: "2026-11-23",
            change: .words("`discoverable` of the user"),
            .tests([
                "a user is discovered by address and record name, and others are left out",
                "a user who is not discoverable is found by no other user",
            ])),
    ]
}
