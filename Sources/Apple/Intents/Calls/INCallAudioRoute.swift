/// Where the sound of a call goes.
public enum INCallAudioRoute: Int, Sendable {
    /// Nobody said.
    case unknown
    /// To the loudspeaker.
    case speakerphoneAudioRoute
    /// To a wireless device.
    case bluetoothAudioRoute
}
