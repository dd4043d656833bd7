// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The domain of the errors of this module.
public let INIntentErrorDomain = "IntentsErrorDomain"

/// Why a call of Intents failed; the cause is under `NSUnderlyingErrorKey`.
///
/// `catch INIntentError.deletingAllInteractions` works, and so does `error as NSError`. What does
/// not work on Linux is `catch let error as NSError`, which no error type can satisfy here.
///
/// - SeeAlso: <https://developer.apple.com/documentation/sirikit/inintenterror>
public struct INIntentError: _BridgedStoredNSError {
    /// The same error as an `NSError`.
    public let _nsError: NSError

    /// The error that an `NSError` of this domain stands for.
    public init(_nsError error: NSError) {
        precondition(error.domain == INIntentErrorDomain, "an error of another domain")
        _nsError = error
    }

    /// The same as ``INIntentErrorDomain``.
    public static var errorDomain: String { INIntentErrorDomain }
    /// The same as ``INIntentErrorDomain``.
    public static var _nsErrorDomain: String { INIntentErrorDomain }

    /// The codes, with Apple's numbers.
    public enum Code: Int, Sendable, CaseIterable, _ErrorCodeProtocol {
        /// The error that has these codes.
        public typealias _ErrorType = INIntentError

        /// Nothing can be donated or deleted here: no store was named.
        case interactionOperationNotSupported = 1900
        /// A donation failed.
        case donatingInteraction = 1901
        /// The deletion of all interactions failed.
        case deletingAllInteractions = 1902
        /// The deletion of interactions by identifier failed.
        case deletingInteractionWithIdentifiers = 1903
        /// The deletion of a group of interactions failed.
        case deletingInteractionWithGroupIdentifier = 1904
        /// Several extensions take the same intent.
        case intentSupportedByMultipleExtension = 2001
        /// An intent is restricted that is not supported.
        case restrictedIntentsNotSupportedByExtension = 2002
        /// Nobody handles the intent.
        case noHandlerProvidedForIntent = 2003
        /// There is no intent of that name.
        case invalidIntentName = 2004
        /// There is no app for the request.
        case noAppAvailable = 2005
        /// The app took too long.
        case requestTimedOut = 3001
        /// The app needs something that nobody is there to say.
        case missingInformation = 3002
        /// The vocabulary file is not where it should be.
        case invalidUserVocabularyFileLocation = 4000
        /// The extension took too long to start.
        case extensionLaunchingTimeout = 5000
        /// The extension could not be started.
        case extensionBringUpFailed = 5001
        /// An image failed, for no reason that has a code.
        case imageGeneric = 6000
        /// The image has no address to load it from.
        case imageNoServiceAvailable = 6001
        /// The image could not be stored.
        case imageStorageFailed = 6002
        /// The image could not be loaded.
        case imageLoadingFailed = 6003
        /// The image could not be fetched again.
        case imageRetrievalFailed = 6004
        /// No proxy for the image could be made.
        case imageProxyLoop = 6005
        /// The proxy of the image is not valid.
        case imageProxyInvalid = 6006
        /// The proxy of the image took too long.
        case imageProxyTimeout = 6007
        /// The service of images failed.
        case imageServiceFailure = 6008
        /// The image could not be scaled.
        case imageScalingFailed = 6009
        /// The image may not be read.
        case permissionDenied = 6010
        /// A voice shortcut could not be made.
        case voiceShortcutCreationFailed = 7000
        /// A voice shortcut could not be read.
        case voiceShortcutGetFailed = 7001
        /// A voice shortcut could not be deleted.
        case voiceShortcutDeleteFailed = 7002
        /// Something could not be encoded.
        case encodingGeneric = 8000
        /// Encoding failed.
        case encodingFailed = 8001
        /// Something could not be decoded.
        case decodingGeneric = 9000
        /// The intent has no form as an App Intent.
        case unableToCreateAppIntentRepresentation = 10000
        /// There is no such App Intent.
        case noAppIntent = 10001
    }
}
