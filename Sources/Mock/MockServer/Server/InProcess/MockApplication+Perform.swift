package import CloudModel
import CloudWire
import HTTPServer

extension MockApplication {
    /// Carries out a command that came by no request, as the service does it: without route, credential
    /// and wire form.
    package func perform(
        _ command: CloudCommand, at address: Database.Address, by caller: Caller
    ) -> (result: Result<CloudReply, CloudError>?, delay: Duration) {
        let begin = MonotonicTime.now()
        var entry = RequestJournal.Entry(
            time: clock.now, method: "POST", operation: command.operationPath, status: 200)
        entry.container = address.container.rawValue
        entry.environment = address.environment
        entry.scope = address.scope
        entry.user = Self.name(of: caller)
        entry.device = caller.device
        var progress = Progress()
        if case .user(let user, let device?) = caller {
            progress.client = PushClient(signIn: "\(user)/\(device)")
        }
        let result = Result { () throws(CloudError) -> CloudReply? in
            try CommandShape.check(command)
            try store.require(address.container)
            if case .user(let user, let device) = caller,
                !store.hasAccount(user) || !store.isSignedIn(user, device: device)
            {
                throw CloudError(.authenticationRequired, reason: "the user has signed out")
            }
            let client = ClientName(
                session: entry.user ?? "", user: entry.user, device: caller.device, clientID: nil)
            if let wait = throttle.take(client, now: entry.time) {
                throw CloudError(.throttled, reason: "too many requests", retryAfter: wait)
            }
            var reply = try self.reply(to: command, at: address, by: caller, &entry, &progress) {
                ""
            }
            // Nobody here releases what is held.
            while let pause = progress.pause {
                progress.stage = pause.stage
                reply = try self.reply(
                    to: command, at: address, by: caller, &entry, &progress
                ) { "" }
            }
            // What a fault makes of the bytes of an answer, a client would have read so.
            if let substitute = progress.decision.substitute {
                return try ReplyReader.read(
                    substitute.body, status: substitute.status, to: command, in: address.scope)
            }
            return progress.decision.ending == .cutBody ? nil : reply
        }
        if case .failure(let error) = result {
            entry.note(error)
            entry.status = writer.write(error).status
        }
        if case .success(nil) = result { entry.status = 0 }
        entry.microseconds = (MonotonicTime.now() - begin) / 1000
        note(entry)
        let whole: Result<CloudReply, CloudError>? =
            switch result {
            case .success(let reply?): .success(reply)
            case .success(nil): nil
            case .failure(let error): .failure(error)
            }
        return (whole, progress.decision.delay)
    }
}
