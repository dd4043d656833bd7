package import CloudModel
package import CloudWire

/// Which requests may reach the service: those that the table of operations calls reads, and writes to
/// containers that were named.
package struct WritePolicy: Sendable, Hashable {
    package let writable: Set<Container.ID>
    /// Whether they may be written to in production too.
    package let allowsProduction: Bool

    package init(writable: Set<Container.ID>, allowsProduction: Bool = false) {
        self.writable = writable
        self.allowsProduction = allowsProduction
    }

    /// Why a request is not let through; nil where it is.
    package func refusal(of route: WireRoute) -> CloudError? {
        guard route.operation.facts.isModifying else { return nil }
        let container = route.address.container
        guard writable.contains(container) else {
            return CloudError(
                .accessDenied,
                reason: "cloudkit-mock record refuses writes to \(container.rawValue) without "
                    + "--allow-writes \(container.rawValue)")
        }
        guard route.address.environment == .production, !allowsProduction else { return nil }
        return CloudError(
            .accessDenied,
            reason: "cloudkit-mock record refuses writes to \(container.rawValue) in production "
                + "without --production")
    }

    /// The same of a request that goes to an address which the service gave out.
    func refusal(of address: AddressBook.Address, method: String) -> CloudError? {
        guard address.use.methods.contains(method) else {
            return CloudError(
                .badRequest, reason: "use \(address.use.methods.joined(separator: ", "))",
                httpStatus: 405)
        }
        guard address.use == .upload else { return nil }
        guard let route = address.route else {
            return CloudError(.accessDenied, reason: "the contents of the upload are unknown")
        }
        return refusal(of: route)
    }
}
