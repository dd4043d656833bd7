internal import DonationStore
internal import Donations
public import Foundation

/// The shortcuts that the user recorded, and those that the app suggests to record.
public final class INVoiceShortcutCenter: NSObject, Sendable {
    /// The one center.
    public static let shared = INVoiceShortcutCenter()

    private override init() { super.init() }

    /// Replaces the shortcuts that the app suggests to record; none empties the list.
    public func setShortcutSuggestions(_ suggestions: [INShortcut]) {
        ListCall.replace(.shortcutSuggestion) {
            try suggestions.enumerated().map { index, shortcut in
                try ListCall.entry(shortcut, identifier: "\(index)")
            }
        }
    }

    /// Reads the shortcuts that the user recorded.
    public func getAllVoiceShortcuts(
        completion completionHandler: @escaping @Sendable ([INVoiceShortcut]?, (any Error)?) -> Void
    ) {
        Self.detach {
            do {
                let found = Read(value: try await Self.read())
                StoreCall.callBack { completionHandler(found.value, nil) }
            } catch {
                StoreCall.callBack { completionHandler(nil, error) }
            }
        }
    }

    /// Reads the shortcuts that the user recorded.
    ///
    /// - Throws: `INIntentError.voiceShortcutGetFailed`.
    public func allVoiceShortcuts() async throws -> [INVoiceShortcut] { try await Self.read() }

    /// Reads one shortcut that the user recorded; nil and no error when it is gone.
    public func getVoiceShortcut(
        with identifier: UUID,
        completion completionHandler: @escaping @Sendable (INVoiceShortcut?, (any Error)?) -> Void
    ) {
        Self.detach {
            do {
                let shortcuts = try await Self.read()
                let found = Read(value: shortcuts.first { $0.identifier == identifier })
                StoreCall.callBack { completionHandler(found.value, nil) }
            } catch {
                StoreCall.callBack { completionHandler(nil, error) }
            }
        }
    }

    /// Reads one shortcut that the user recorded.
    ///
    /// - Throws: `INIntentError.voiceShortcutGetFailed`, also when it is gone.
    public func voiceShortcut(with identifier: UUID) async throws -> INVoiceShortcut {
        guard let found = try await Self.read().first(where: { $0.identifier == identifier })
        else { throw INIntentError(.voiceShortcutGetFailed) }
        return found
    }

    /// Runs a reading call that has a completion handler.
    ///
    /// The store answers reads to callers that wait only, and Apple's call does not: the task
    /// ends with its one answer.
    private static func detach(_ body: @escaping @Sendable () async -> Void) {
        Task(operation: body)
    }

    private static func read() async throws -> [INVoiceShortcut] {
        let store = try StoreCall.store()
        do {
            return try await store.entries(.voiceShortcut).compactMap(shortcut)
        } catch {
            throw StoreCall.failure(.voiceShortcutGetFailed, error)
        }
    }

    private static func shortcut(_ entry: ListEntry) -> INVoiceShortcut? {
        guard let identifier = UUID(uuidString: entry.identifier),
            let payload = try? PayloadValue(decoding: entry.payload),
            let shortcut = ShortcutCoding.shortcut(payload),
            case .string(let phrase)? = payload["invocationPhrase"]
        else { return nil }
        return INVoiceShortcut(
            identifier: identifier, invocationPhrase: phrase, shortcut: shortcut)
    }
}

/// What was read, on its way to the app.
///
/// Unchecked: it is given away, and only the app takes it.
private struct Read<Value>: @unchecked Sendable { let value: Value }
