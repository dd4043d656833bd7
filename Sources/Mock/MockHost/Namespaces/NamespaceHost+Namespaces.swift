import HTTPServer
import MockFaults
import MockStore

extension NamespaceHost {
    /// A clock of its own needs a `date` of its own; the server's own is asked once a turn.
    package var unixSeconds: Int64? {
        service.address.namespace == nil ? nil : clock.now.milliseconds / 1000
    }

    /// Takes the settings, faults and time of another namespace; counters begin anew.
    func takeOver(from origin: NamespaceHost) throws(MockStoreError) {
        administration.options = origin.administration.options
        clock.setting = origin.clock.setting
        service.faults.plan.removeAll()
        for entry in origin.service.faults.plan.entries {
            do throws(FaultError) {
                try service.faults.plan.set(entry.rule, now: clock.now)
            } catch {
                throw MockStoreError(.refused, "fault \(entry.rule.id): \(error)")
            }
        }
        try commit()
    }
}
