/// Why media cannot be played at a speed.
public enum INPlayMediaPlaybackSpeedUnsupportedReason: Int, Sendable {
    /// It is too slow.
    case belowMinimum = 1
    /// It is too fast.
    case aboveMaximum
}

/// Why a call cannot be of a kind.
public enum INStartCallCallCapabilityUnsupportedReason: Int, Sendable {
    /// The app makes no calls with a picture.
    case videoCallUnsupported = 1
    /// The app may not use the microphone.
    case microphoneNotAccessible
    /// The app may not use the camera.
    case cameraNotAccessible
}

/// Why a call cannot be answered by another.
public enum INStartCallCallRecordToCallBackUnsupportedReason: Int, Sendable {
    /// There was no such call.
    case noMatchingCall = 1
}

/// What is meant by a list of tasks to add to.
open class INAddTasksTargetTaskListResolutionResult: INTaskListResolutionResult {
    /// It is probably this, for a reason that the person has to agree to.
    open class func confirmationRequired(
        with taskListToConfirm: INTaskList?,
        forReason reason: INAddTasksTargetTaskListConfirmationReason
    ) -> Self { Self(.confirmationRequired(taskListToConfirm)) }
}
