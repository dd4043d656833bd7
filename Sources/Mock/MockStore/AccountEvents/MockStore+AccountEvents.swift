import CloudModel

/// What befalls an account as a whole: a sign-out, changed terms, storage that is full, web tokens that are
/// taken back.
extension MockStore {
    /// Why a user has to sign in before requests from a device are taken, in words; nil: they are.
    package func signInProblem(of user: String, device: String?) -> String? {
        sessions.signInProblem(of: user, device: device)
    }

    /// Whether a web token was taken back before its time.
    package func isExpired(_ number: Int64, of user: String, device: String?) -> Bool {
        expiredWebTokens.contains(number, of: user, on: device)
    }

    /// Takes back the web tokens of a user that were given out so far, on one device or all.
    package func expireWebTokens(
        of user: String, device: String?, upTo number: Int64
    ) throws(MockStoreError) {
        try stored { () throws(CloudError) in
            try expiredWebTokens.expire(user, on: device, upTo: number)
        }
    }

    func setQuota(_ event: SimulatedEvent) throws(CloudError) -> SimulatedEvent.Report {
        let fills = event.kind == .fillQuota
        let payer: Quotas.Payer
        let what: String
        if let user = event.user {
            payer = Quotas.Payer(user: user, container: "", environment: "")
            what = "\(user)'s iCloud storage"
        } else {
            let address = event.address(.public)
            payer = Quotas.Payer(
                user: "", container: address?.container.rawValue ?? "",
                environment: address?.environment.rawValue ?? "")
            what = "the storage of \(payer.container)"
        }
        let isNew = try fills ? context.quotas.fill(payer) : context.quotas.lift(payer)
        return SimulatedEvent.Report(
            message: "\(what) \(fills ? "is full" : "has space again")", changed: isNew ? 1 : 0)
    }

    func setTerms(_ event: SimulatedEvent) throws(CloudError) -> SimulatedEvent.Report {
        let change = event.kind == .changeTerms
        let user = event.user ?? ""
        let isNew = try terms.set(change, user)
        return SimulatedEvent.Report(
            message: "\(user) \(change ? "has to accept changed terms" : "has accepted the terms")",
            changed: isNew ? 1 : 0)
    }
}
