public import ContinuationHost
internal import DonationStore
internal import Donations
internal import Foundation

/// Hears how the recording of a phrase ended.
@MainActor @preconcurrency
public protocol INUIAddVoiceShortcutViewControllerDelegate: AnyObject {
    /// The user recorded a phrase, or it failed.
    func addVoiceShortcutViewController(
        _ controller: INUIAddVoiceShortcutViewController,
        didFinishWith voiceShortcut: INVoiceShortcut?, error: (any Error)?)
    /// The user changed his mind.
    func addVoiceShortcutViewControllerDidCancel(_ controller: INUIAddVoiceShortcutViewController)
}

/// Stands for the sheet in which the user records a phrase for a shortcut.
///
/// There is no sheet here: a program that plays the user calls ``record(invocationPhrase:)`` or
/// ``cancel()``, and the delegate hears of it as from IntentsUI. The button is not supported.
///
/// Unchecked: the parts of a responder that belong to no actor are behind locks or for its app alone.
@MainActor
public final class INUIAddVoiceShortcutViewController: UIViewController,
    @unchecked Sendable
{
    private let shortcut: INShortcut
    /// Hears how it ended; not kept alive.
    public weak var delegate: (any INUIAddVoiceShortcutViewControllerDelegate)?

    /// A sheet for a shortcut.
    public init(shortcut: INShortcut) {
        self.shortcut = shortcut
        super.init()
    }

    /// The user says a phrase. Not in Apple's interface.
    public func record(invocationPhrase: String) async {
        let identifier = IdentifierSource.make()
        do {
            let entry = try ListCall.entry(
                shortcut, identifier: identifier.uuidString,
                also: ["invocationPhrase": .string(invocationPhrase)])
            try await StoreCall.store().append(entry, to: .voiceShortcut)
            delegate?.addVoiceShortcutViewController(
                self,
                didFinishWith: INVoiceShortcut(
                    identifier: identifier, invocationPhrase: invocationPhrase,
                    shortcut: shortcut), error: nil)
        } catch let error as INIntentError {
            delegate?.addVoiceShortcutViewController(self, didFinishWith: nil, error: error)
        } catch {
            delegate?.addVoiceShortcutViewController(
                self, didFinishWith: nil,
                error: StoreCall.failure(.voiceShortcutCreationFailed, error))
        }
    }

    /// The user changes his mind. Not in Apple's interface.
    public func cancel() { delegate?.addVoiceShortcutViewControllerDidCancel(self) }
}

/// The button that opens the sheet.
@available(*, unavailable, message: "unsupported: record with INUIAddVoiceShortcutViewController")
@MainActor public final class INUIAddVoiceShortcutButton {}
