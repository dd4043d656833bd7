extension FidelityLedger {
    /// Subscriptions, pushes and the courier that brings them.
    static let subscriptions: [FidelityRule] = [
        FidelityRule(
            109, .subscriptions, .inferred,
            asked: "a subscription to a missing zone",
            answered: "refused for that item alone",
            [.appleTests: "testRecoverFromZoneDuplicateSubscriptionFailure"],
            .tests(["C-109"])),
        FidelityRule(
            110, .subscriptions, .documented,
            asked: "a query subscription in a shared database",
            answered: "refused",
            [.headers: "CKQuerySubscription"],
            .tests(["C-110"])),
        FidelityRule(
            111, .subscriptions, .documented,
            asked: "a change that somebody has subscribed to",
            answered: """
                pushed to all devices of the user but the one that wrote; a hint, which may be \
                lost or merged with others
                """,
            [.headers: "CKSubscription", .forums: "CloudKit"],
            .tests(["C-111"])),
        FidelityRule(
            choice: "second-query-subscription", .subscriptions, .observed,
            asked: "a second query subscription under another ID",
            answered: "allowed where type, predicate, zone or events differ; else INTERNAL_ERROR",
            [.mistKit: "subscriptions"],
            .tests([
                "the same ID twice succeeds, the same watch under another ID does not",
                "one type can be watched by several queries, zones and events",
            ])),
        FidelityRule(
            choice: "subscription-events", .subscriptions, .ours,
            asked: "what a query subscription fires on",
            answered: """
                `create` and `update` where the record fits as it is now, `delete` where it \
                fitted as it was; parents that change with a child do not fire
                """,
            on: "2026-11-23",
            .tests(["a query subscription fires on its events and on records that fit"])),
        FidelityRule(
            choice: "who-wrote", .subscriptions, .ours,
            asked: "who has written, and so gets no push",
            answered: """
                whoever names itself by `clientId` (in the query of a write, in the body of \
                `tokens/create`) is that client; else the device that the web token was given out \
                for; else the sign-in that the web token goes back to, so that two tokens of one \
                user are two devices
                """,
            on: "2026-11-23",
            .tests(["C-111", "clients that name themselves are told apart"])),
        FidelityRule(
            choice: "waiting-pushes", .subscriptions, .ours,
            asked: "pushes that wait",
            answered: """
                one of the same subscription and record, zone or database stands for all, the \
                newest counts; 100 for a device and 10,000 in all, in memory; delivered when \
                written to the connection, once; forgotten by a restore, and by a reset together \
                with the devices that asked for them
                """,
            [.mistKit: "web courier, delivered once"],
            on: "2026-11-23",
            .tests([
                "what waits is told once, as it is now",
                "a restore forgets what was to be told, a reset the devices too",
            ])),
        FidelityRule(
            choice: "push-payload", .subscriptions, .ours,
            asked: "a push's payload",
            answered: """
                keys as clients read them; `af` in `qry` has up to three `additionalFields` as \
                plain values; values over 256 bytes and what makes a push longer than 4096 bytes \
                are left out, and `p` is 1
                """,
            [.openCloudKit: "CKNotification"],
            on: "2026-11-23",
            .tests(["a push says what the documents say it does"])),
        FidelityRule(
            choice: "courier-wait", .subscriptions, .ours,
            asked: "how long a courier lets wait",
            answered: """
                30 seconds, then an empty 200; four requests a device, 1,000 in all, then 503
                """,
            [.mistKit: "web courier"],
            on: "2026-11-23",
            .tests([
                "who has waited long enough gets an empty answer",
                "many can wait for one device, and each is answered",
            ])),
        FidelityRule(
            choice: "courier-token", .subscriptions, .ours,
            asked: "an unknown token at the courier",
            answered: "401 AUTHENTICATION_FAILED",
            on: "2026-11-23",
            .tests(["a token that nobody was given is refused"])),
    ]
}
