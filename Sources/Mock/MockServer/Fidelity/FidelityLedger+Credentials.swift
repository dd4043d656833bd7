extension FidelityLedger {
    /// Who may ask for what.
    static let credentials: [FidelityRule] = [
        FidelityRule(
            choice: "api-token-alone", .credentials, .documented,
            asked: "an API token without a web token",
            answered: "zones and records of a public database, to read; everything else is 421 "
                + "with a `redirectURL`",
            [.archive: "SettingUpWebServices, ErrorCodes"],
            .tests([
                "a credential reaches what Apple says, and nothing else",
                "an API token alone reads public records and does nothing else",
            ])),
        FidelityRule(
            choice: "web-token", .credentials, .documented,
            asked: "an API token and a web token",
            answered: "everything of the user",
            [.archive: "SettingUpWebServices"],
            .tests(["a credential reaches what Apple says, and nothing else"])),
        FidelityRule(
            choice: "server-key", .credentials, .observed,
            asked: "a server-to-server key",
            answered: "the public database, and of `users/…` only its own: `users/caller` and "
                + "`users/current` return the key's user, as which it writes",
            [.archive: "SettingUpWebServices", .mistKit: "server-to-server"],
            .tests([
                "a server-to-server key reaches the public database alone",
                "a server key writes public records as itself",
                "a credential reaches what Apple says, and nothing else",
            ])),
        FidelityRule(
            choice: "place-of-a-credential", .credentials, .documented,
            asked: "a key or an API token of another container or environment",
            answered: "401: each belongs to one environment of one container",
            [
                .documentation: "Changing Access Controls on User Data",
                .archive: "SettingUpWebServices",
            ],
            .tests([
                "a credential reaches what Apple says, and nothing else",
                "an API token belongs to one container and environment",
            ])),
        FidelityRule(
            choice: "unknown-credential", .credentials, .observed,
            asked: "a key, API token or web token that is unknown, removed or for another page",
            answered: "401 AUTHENTICATION_FAILED",
            [.mistKit: "authentication"],
            .tests([
                "a credential reaches what Apple says, and nothing else",
                "a key that was not admitted, or another under its ID, is refused",
            ])),
        FidelityRule(
            choice: "expired-web-token", .credentials, .documented,
            asked: "a web token that has expired",
            answered: "421 AUTHENTICATION_REQUIRED with a `redirectURL`",
            [.archive: "SettingUpWebServices, ErrorCodes"],
            change: .option("webTokenSecondsMax"),
            .tests([
                "a token expires by the server's clock",
                "a credential reaches what Apple says, and nothing else",
            ])),
        FidelityRule(
            choice: "web-token-taken-back", .credentials, .ours,
            asked: "a web token that was revoked before it expired, or replaced",
            answered: "421 AUTHENTICATION_REQUIRED with a sign-in address, as for an expired "
                + "one; tokens issued later are valid",
            on: "2026-11-23",
            change: .words("the acts `expire-web-tokens` and `rotate-web-tokens`"),
            .tests([
                "expired web tokens lead to the page to sign in at, and new ones are good",
                "web tokens of one device can be rotated, and the answer has the new one",
            ])),
        FidelityRule(
            choice: "no-credential", .credentials, .observed,
            asked: "no credential at all",
            answered: "401; others report 400",
            [.mistKit: "authentication"],
            .tests(["a credential reaches what Apple says, and nothing else"])),
        FidelityRule(
            choice: "old-web-tokens", .credentials, .observed,
            asked: "a web token that was used before",
            answered: "every response without an error contains a new one; the old ones are "
                + "accepted until they expire. Documented: one use each",
            [.mistKit: "web tokens", .archive: "SettingUpWebServices"],
            change: .flag("--strict-tokens"),
            .tests(["every answer brings another web token, and the old ones stay good"])),
        FidelityRule(
            choice: "spent-web-token", .credentials, .ours,
            asked: "a web token that was used before, with single-use tokens",
            answered: "421, also after a restart with the same store folder; a token chosen by "
                + "a test is valid again when it is chosen again by `POST tokens`. With 10,000 "
                + "sign-ins between used tokens, the oldest one has to sign in again",
            [.archive: "SettingUpWebServices; it does not name the error"],
            on: "2026-11-23",
            change: .option("singleUseTokens"),
            .tests([
                "a spent token needs a new sign-in where tokens are for single use",
                "a used token stays used when the server is started again, an unused one good",
                "a chosen token that is chosen again is valid again",
                "where too many wait to be used, those that wait longest count as used",
            ])),
        FidelityRule(
            choice: "web-token-after-an-error", .credentials, .ours,
            asked: "a web token in a request that fails",
            answered: "the response contains no new one, and the one that was sent stays valid, "
                + "also with single-use tokens: not every client reads the header then",
            on: "2026-11-23",
            .tests(["a single-use token survives a response with an error"])),
        FidelityRule(
            choice: "token-of-every-container", .credentials, .ours,
            asked: "an API token",
            answered: "each container has one for each environment (`apiTokens` of the ready "
                + "file); the ready file's `apiToken` is valid for all, unlike any token of the "
                + "service",
            on: "2026-11-23",
            change: .option("unboundTokens"),
            .tests([
                "containers that are declared have tokens of their own",
                "the token of every container can be switched off",
            ])),
        FidelityRule(
            choice: "origins", .credentials, .documented,
            asked: "a page whose origin is not among the API token's",
            answered: "401, and no CORS header fields; its preflight 403",
            [.archive: "SettingUpWebServices; it does not name the error"],
            change: .words("`origins` of the token"),
            .tests([
                "an API token of some origins is for their pages, and for programs",
                "a page that may not use the token gets no sign-in address",
            ])),
        FidelityRule(
            choice: "clock-skew", .credentials, .ours,
            asked: "a signed request with a date of another clock",
            answered: "valid within ten minutes of the server's clock",
            on: "2026-11-20",
            change: .option("checksClockSkew"),
            .tests([
                "signed requests are checked to the letter",
                "the check of a signature's date can be switched off",
            ])),
    ]
}
