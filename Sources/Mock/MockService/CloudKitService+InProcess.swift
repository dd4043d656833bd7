import ClientLinter
package import CloudModel
import CloudWire
import HTTPServer
import MockFaults
package import MockStore

extension CloudKitService {
    /// Executes a command that came by no request, as the service does: without route, credential and wire form.
    ///
    /// - Returns: The reply or error, nil if the connection would be cut; and how long it is to be held back.
    package func perform(
        _ command: CloudCommand, at address: Database.Address, by caller: Caller
    ) -> (result: Result<CloudReply, CloudError>?, delay: Duration) {
        var progress = RequestProgress(
            ExchangeRecord(
                RequestJournal.Entry(
                    time: clock.now, method: "POST", operation: command.operationPath, status: 200)
            ))
        progress.record.note(address)
        progress.record.note(caller)
        let result = Result { () throws(CloudError) -> CloudReply? in
            try execute(command, at: address, by: caller, &progress)
        }
        switch result {
        case .success(let reply):
            progress.record.reply = reply
            progress.record.isLost = reply == nil || progress.decision.substitute != nil
            if reply == nil { progress.record.entry.status = 0 }
        case .failure(let error):
            progress.record.fail(error)
            progress.record.entry.status = responses.write(error).status
        }
        progress.record.entry.microseconds =
            (MonotonicTime.now() - progress.record.arrived) / 1000
        observers.note(progress.record)
        return switch result {
        case .success(nil): (nil, progress.decision.delay)
        case .success(let reply?): (.success(reply), progress.decision.delay)
        case .failure(let error): (.failure(error), progress.decision.delay)
        }
    }

    private func execute(
        _ command: CloudCommand, at address: Database.Address, by caller: Caller,
        _ progress: inout RequestProgress
    ) throws(CloudError) -> CloudReply? {
        try CommandShape.check(command)
        try store.require(address.container)
        var pushClient = PushClient()
        if case .user(let user, let device) = caller {
            guard store.hasAccount(user), store.isSignedIn(user, device: device) else {
                throw CloudError(.authenticationRequired, reason: "the user has signed out")
            }
            if let device { pushClient = PushClient(signIn: "\(user)/\(device)") }
        }
        let user = progress.record.entry.user
        let context = RequestContext(
            address: address, caller: caller,
            client: ClientName(session: user ?? "", user: user, device: caller.device),
            pushClient: pushClient, time: progress.record.entry.time,
            baseURL: self.address.baseURL, signIn: nil)
        try admit(context, progress.stage)
        progress.record.command = command
        var reply = try faults.reply(to: command, in: context, &progress)
        // No request can release what is held at a gate.
        while let pause = progress.pause {
            progress.stage = pause.stage
            reply = try faults.reply(to: command, in: context, &progress)
        }
        // A client would have read a substitute's bytes like this.
        if let substitute = progress.decision.substitute {
            return try ReplyReader.read(
                substitute.body, status: substitute.status, to: command, in: address.scope)
        }
        return progress.decision.ending == .cutBody ? nil : reply
    }
}
