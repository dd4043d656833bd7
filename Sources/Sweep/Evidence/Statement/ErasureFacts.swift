package import Basics
package import CloudModel

/// Everything a statement about an erasure says but its verdict: the fields of the predicate
/// `https://cksweep.dev/attestation/erasure/v1`.
///
/// No name of a person, a zone or a record is in it. Times are milliseconds since 1970 in UTC.
package struct ErasureFacts: Sendable, Hashable {
    package static let predicateType = "https://cksweep.dev/attestation/erasure/v1"

    /// The run that erased, or that looked.
    package struct Run: Sendable, Hashable {
        package var id: String
        package var verb: String
        /// 128 random bits, so that nobody can guess a statement from its hash.
        package var nonce: String
        package var beganAt: Timestamp
        package var endedAt: Timestamp
        /// What the command exited with.
        package var exitStatus: Int

        package init(
            id: String, verb: String, nonce: String, beganAt: Timestamp, endedAt: Timestamp,
            exitStatus: Int
        ) {
            self.id = id
            self.verb = verb
            self.nonce = nonce
            self.beganAt = beganAt
            self.endedAt = endedAt
            self.exitStatus = exitStatus
        }
    }

    /// One container, and who the person is there.
    package struct Subject: Sendable, Hashable {
        package var identifier: String
        /// A keyed digest of 16 bytes in hexadecimal, or ``unknownUser``.
        package var user: String

        package init(identifier: String, user: String) {
            self.identifier = identifier
            self.user = user
        }
    }

    /// What stands for a person that nobody could ask for.
    package static let unknownUser = "unknown"

    /// What a person approved, and when.
    package struct Plan: Sendable, Hashable {
        package var digest: String
        package var nonce: String
        package var createdAt: Timestamp
        package var expiresAt: Timestamp
        package var steps: Int
        /// nil: nothing was approved, because nothing was to be deleted, or not yet.
        package var approvedAt: Timestamp?
        /// nil: nobody had to sign the plan.
        package var approvals: Approvals?

        package init(
            digest: String, nonce: String, createdAt: Timestamp, expiresAt: Timestamp, steps: Int,
            approvedAt: Timestamp?
        ) {
            self.digest = digest
            self.nonce = nonce
            self.createdAt = createdAt
            self.expiresAt = expiresAt
            self.steps = steps
            self.approvedAt = approvedAt
        }
    }

    /// How many had to sign a plan, and who did: keys alone, no names.
    package struct Approvals: Sendable, Hashable {
        package var needed: Int
        package var by: [Signature]

        /// One key's approval.
        package struct Signature: Sendable, Hashable {
            /// The ID of the key.
            package var key: String
            /// SHA-256 of the envelope with the approval, which the operator keeps.
            package var envelope: String

            package init(key: String, envelope: String) {
                self.key = key
                self.envelope = envelope
            }
        }

        package init(needed: Int, by: [Signature]) {
            self.needed = needed
            self.by = by
        }

        /// Whether as many different keys have signed as had to.
        var suffice: Bool {
            needed > 0 && Set(by.map(\.key)).count == by.count && by.count >= needed
        }
    }

    /// When the person asked, and until when the law gives time: the operator's own word.
    package struct Request: Sendable, Hashable {
        /// Days as `2026-01-31`.
        package var receivedOn: String
        package var due: String
        /// The law, such as `gdpr`.
        package var regime: String

        package init(receivedOn: String, due: String, regime: String) {
            self.receivedOn = receivedOn
            self.due = due
            self.regime = regime
        }
    }

    /// How many clean passes in a row were asked for, and the pause between two.
    package struct PassRule: Sendable, Hashable {
        package var clean: Int
        package var pauseMilliseconds: Int64

        package init(clean: Int, pauseMilliseconds: Int64) {
            self.clean = clean
            self.pauseMilliseconds = pauseMilliseconds
        }
    }

    /// The entry's place in the ledger, and the ledger before it.
    package struct LedgerPlace: Sendable, Hashable {
        package var origin: String
        package var index: Int
        /// The root of the entries before, in hexadecimal.
        package var previousRoot: String

        package init(origin: String, index: Int, previousRoot: String) {
            self.origin = origin
            self.index = index
            self.previousRoot = previousRoot
        }
    }

    package var run: Run
    package var signedAt: Timestamp
    package var toolVersion: String
    /// SHA-256 of the program; nil where its file could not be read.
    package var toolBuild: String?
    /// nil where no answer had a date.
    package var clockSkew: ClockSkew?
    package var service: ServiceFacts
    package var environment: String
    /// Sorted by identifier.
    package var containers: [Subject]
    package var databases: [String]
    package var coverage: [EvidenceRow]
    /// nil for runs that only looked.
    package var plan: Plan?
    /// nil: nobody said.
    package var request: Request?
    package var requests: Int
    package var retries: Int
    package var passes: [EvidencePass]
    package var passRule: PassRule
    /// Whether the run was allowed to leave something out.
    package var allowedPartial: Bool
    /// Things that failed after all retries.
    package var failures: Int
    package var events: EventDigest
    /// nil where nobody signs.
    package var ledger: LedgerPlace?
    /// SHA-256 of the envelope of the same run that this one goes on from.
    package var continues: String?
    /// SHA-256 of the key of the pseudonyms: says which key, and nothing of it.
    package var pseudonymKey: String

    package init(
        run: Run, signedAt: Timestamp, toolVersion: String, toolBuild: String? = nil,
        clockSkew: ClockSkew? = nil, service: ServiceFacts,
        environment: String, containers: [Subject], databases: [String],
        coverage: [EvidenceRow], plan: Plan?, requests: Int, retries: Int,
        passes: [EvidencePass], passRule: PassRule, allowedPartial: Bool, failures: Int,
        events: EventDigest, ledger: LedgerPlace?, continues: String?, pseudonymKey: String
    ) {
        self.run = run
        self.signedAt = signedAt
        self.toolVersion = toolVersion
        self.toolBuild = toolBuild
        self.clockSkew = clockSkew
        self.service = service
        self.environment = environment
        self.containers = containers
        self.databases = databases
        self.coverage = coverage
        self.plan = plan
        self.requests = requests
        self.retries = retries
        self.passes = passes
        self.passRule = passRule
        self.allowedPartial = allowedPartial
        self.failures = failures
        self.events = events
        self.ledger = ledger
        self.continues = continues
        self.pseudonymKey = pseudonymKey
    }
}
