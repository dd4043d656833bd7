package import Donations

/// What another product keeps on a user activity: Core Spotlight its attribute set, Intents its
/// invocation phrase.
///
/// There is one slot for each conforming type, so two products cannot get in each other's way.
/// A slot holds a value: a product that offers a class copies it when set and when read.
package protocol ActivityAttachment: Sendable {
    /// Adds to a donation that is about to be made what the store has a field for.
    ///
    /// Called in ``NSUserActivity/becomeCurrent()``, before the donation is put in the queue; what
    /// this sets of ``Donation/payload`` is overwritten, see ``payloadEntries``.
    func contribute(to donation: inout Donation)
    /// What is to come back unchanged with the stored activity, under names of its own.
    var payloadEntries: [String: PayloadValue] { get }
}

extension ActivityAttachment {
    package func contribute(to donation: inout Donation) {}
    package var payloadEntries: [String: PayloadValue] { [:] }
}

extension NSUserActivity {
    /// What the slot of `type` holds.
    package func attachment<Attachment: ActivityAttachment>(
        _ type: Attachment.Type
    ) -> Attachment? {
        read { $0.attachments[ObjectIdentifier(type)] as? Attachment }
    }

    /// Fills or empties the slot of `type`.
    package func attach<Attachment: ActivityAttachment>(
        _ value: Attachment?, as type: Attachment.Type
    ) {
        change { $0.attachments[ObjectIdentifier(type)] = value }
    }
}
