extension INIntentError {
    /// 1900: Nothing can be donated or deleted here: no store was named.
    public static var interactionOperationNotSupported: Code { .interactionOperationNotSupported }
    /// 1901: A donation failed.
    public static var donatingInteraction: Code { .donatingInteraction }
    /// 1902: The deletion of all interactions failed.
    public static var deletingAllInteractions: Code { .deletingAllInteractions }
    /// 1903: The deletion of interactions by identifier failed.
    public static var deletingInteractionWithIdentifiers: Code {
        .deletingInteractionWithIdentifiers
    }
    /// 1904: The deletion of a group of interactions failed.
    public static var deletingInteractionWithGroupIdentifier: Code {
        .deletingInteractionWithGroupIdentifier
    }
    /// 2001: Several extensions take the same intent.
    public static var intentSupportedByMultipleExtension: Code {
        .intentSupportedByMultipleExtension
    }
    /// 2002: An intent is restricted that is not supported.
    public static var restrictedIntentsNotSupportedByExtension: Code {
        .restrictedIntentsNotSupportedByExtension
    }
    /// 2003: Nobody handles the intent.
    public static var noHandlerProvidedForIntent: Code { .noHandlerProvidedForIntent }
    /// 2004: There is no intent of that name.
    public static var invalidIntentName: Code { .invalidIntentName }
    /// 2005: There is no app for the request.
    public static var noAppAvailable: Code { .noAppAvailable }
    /// 3001: The app took too long.
    public static var requestTimedOut: Code { .requestTimedOut }
    /// 3002: The app needs something that nobody is there to say.
    public static var missingInformation: Code { .missingInformation }
    /// 4000: The vocabulary file is not where it should be.
    public static var invalidUserVocabularyFileLocation: Code { .invalidUserVocabularyFileLocation }
    /// 5000: The extension took too long to start.
    public static var extensionLaunchingTimeout: Code { .extensionLaunchingTimeout }
    /// 5001: The extension could not be started.
    public static var extensionBringUpFailed: Code { .extensionBringUpFailed }
    /// 6000: An image failed, for no reason that has a code.
    public static var imageGeneric: Code { .imageGeneric }
    /// 6001: The image has no address to load it from.
    public static var imageNoServiceAvailable: Code { .imageNoServiceAvailable }
    /// 6002: The image could not be stored.
    public static var imageStorageFailed: Code { .imageStorageFailed }
    /// 6003: The image could not be loaded.
    public static var imageLoadingFailed: Code { .imageLoadingFailed }
    /// 6004: The image could not be fetched again.
    public static var imageRetrievalFailed: Code { .imageRetrievalFailed }
    /// 6005: No proxy for the image could be made.
    public static var imageProxyLoop: Code { .imageProxyLoop }
    /// 6006: The proxy of the image is not valid.
    public static var imageProxyInvalid: Code { .imageProxyInvalid }
    /// 6007: The proxy of the image took too long.
    public static var imageProxyTimeout: Code { .imageProxyTimeout }
    /// 6008: The service of images failed.
    public static var imageServiceFailure: Code { .imageServiceFailure }
    /// 6009: The image could not be scaled.
    public static var imageScalingFailed: Code { .imageScalingFailed }
    /// 6010: The image may not be read.
    public static var permissionDenied: Code { .permissionDenied }
    /// 7000: A voice shortcut could not be made.
    public static var voiceShortcutCreationFailed: Code { .voiceShortcutCreationFailed }
    /// 7001: A voice shortcut could not be read.
    public static var voiceShortcutGetFailed: Code { .voiceShortcutGetFailed }
    /// 7002: A voice shortcut could not be deleted.
    public static var voiceShortcutDeleteFailed: Code { .voiceShortcutDeleteFailed }
    /// 8000: Something could not be encoded.
    public static var encodingGeneric: Code { .encodingGeneric }
    /// 8001: Encoding failed.
    public static var encodingFailed: Code { .encodingFailed }
    /// 9000: Something could not be decoded.
    public static var decodingGeneric: Code { .decodingGeneric }
    /// 10000: The intent has no form as an App Intent.
    public static var unableToCreateAppIntentRepresentation: Code {
        .unableToCreateAppIntentRepresentation
    }
    /// 10001: There is no such App Intent.
    public static var noAppIntent: Code { .noAppIntent }
}
