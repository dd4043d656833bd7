public import ContinuationHost
internal import DonationStore
internal import Donations
internal import Foundation

/// Hears how the change of a recorded phrase ended.
@MainActor @preconcurrency
public protocol INUIEditVoiceShortcutViewControllerDelegate: AnyObject {
    /// The person changed the phrase, or it failed.
    func editVoiceShortcutViewController(
        _ controller: INUIEditVoiceShortcutViewController,
        didUpdate voiceShortcut: INVoiceShortcut?,
        error: (any Error)?)
    /// The person deleted the shortcut.
    func editVoiceShortcutViewController(
        _ controller: INUIEditVoiceShortcutViewController,
        didDeleteVoiceShortcutWithIdentifier deletedVoiceShortcutIdentifier: UUID)
    /// The person changed nothing.
    func editVoiceShortcutViewControllerDidCancel(_ controller: INUIEditVoiceShortcutViewController)
}

/// Stands for the sheet in which the person changes or deletes what was recorded.
///
/// There is no sheet here: a program that plays the person calls ``update(invocationPhrase:)``,
/// ``delete()`` or ``cancel()``, and the delegate hears of it as from IntentsUI.
///
/// Unchecked: the parts of a responder that belong to no actor are behind locks or for its app alone.
@MainActor
public final class INUIEditVoiceShortcutViewController: UIViewController,
    @unchecked Sendable
{
    private let voiceShortcut: INVoiceShortcut
    /// Hears how it ended; not kept alive.
    public weak var delegate: (any INUIEditVoiceShortcutViewControllerDelegate)?

    /// A sheet for what was recorded.
    public init(voiceShortcut: INVoiceShortcut) {
        self.voiceShortcut = voiceShortcut
        super.init()
    }

    /// The person says another phrase. Not in Apple's interface.
    public func update(invocationPhrase: String) async {
        let changed = INVoiceShortcut(
            identifier: voiceShortcut.identifier, invocationPhrase: invocationPhrase,
            shortcut: voiceShortcut.shortcut)
        do {
            let entry = try ListCall.entry(
                changed.shortcut, identifier: changed.identifier.uuidString,
                also: ["invocationPhrase": .string(invocationPhrase)])
            try await put(entry)
            delegate?.editVoiceShortcutViewController(self, didUpdate: changed, error: nil)
        } catch {
            delegate?.editVoiceShortcutViewController(
                self, didUpdate: nil, error: StoreCall.failure(.voiceShortcutGetFailed, error))
        }
    }

    /// The person deletes the shortcut. Not in Apple's interface.
    ///
    /// When it cannot be deleted the delegate hears that nothing was updated, and why.
    public func delete() async {
        do {
            try await put(nil)
            delegate?.editVoiceShortcutViewController(
                self, didDeleteVoiceShortcutWithIdentifier: voiceShortcut.identifier)
        } catch {
            delegate?.editVoiceShortcutViewController(
                self, didUpdate: nil, error: StoreCall.failure(.voiceShortcutGetFailed, error))
        }
    }

    /// The person changes nothing. Not in Apple's interface.
    public func cancel() { delegate?.editVoiceShortcutViewControllerDidCancel(self) }

    /// Puts an entry in place of the shortcut's, or nothing.
    private func put(_ entry: ListEntry?) async throws {
        let name = voiceShortcut.identifier.uuidString
        let isThere = try await StoreCall.store().change(.voiceShortcut) { entries in
            guard let index = entries.firstIndex(where: { $0.identifier == name })
            else { return false }
            entries.replaceSubrange(index...index, with: entry.map { [$0] } ?? [])
            return true
        }
        guard isThere else { throw INIntentError(.voiceShortcutGetFailed) }
    }
}
