public import Foundation

/// What music, films and pictures tell about themselves.
extension CSSearchableItemAttributeSet {
    /// Seconds.
    public var duration: NSNumber? {
        get { number("duration") }
        set { setNumber("duration", newValue) }
    }
    /// Who plays it.
    public var artist: String? {
        get { self["artist"] }
        set { self["artist"] = newValue }
    }
    /// The album it is on.
    public var album: String? {
        get { self["album"] }
        set { self["album"] = newValue }
    }
    /// Who composed it.
    public var composer: String? {
        get { self["composer"] }
        set { self["composer"] = newValue }
    }
    /// Who wrote the words.
    public var lyricist: String? {
        get { self["lyricist"] }
        set { self["lyricist"] = newValue }
    }
    /// Its genre.
    public var genre: String? {
        get { self["genre"] }
        set { self["genre"] = newValue }
    }
    /// Who directed it.
    public var director: String? {
        get { self["director"] }
        set { self["director"] = newValue }
    }
    /// Who produced it.
    public var producer: String? {
        get { self["producer"] }
        set { self["producer"] = newValue }
    }
    /// Who performs in it.
    public var performers: [String]? {
        get { self["performers"] }
        set { self["performers"] = newValue }
    }
    /// When it was recorded.
    public var recordingDate: Date? {
        get { self["recordingDate"] }
        set { self["recordingDate"] = newValue }
    }
    /// Its track on the album.
    public var audioTrackNumber: NSNumber? {
        get { number("audioTrackNumber") }
        set { setNumber("audioTrackNumber", newValue) }
    }
    /// How it is encoded.
    public var codecs: [String]? {
        get { self["codecs"] }
        set { self["codecs"] = newValue }
    }
    /// Its kinds of media.
    public var mediaTypes: [String]? {
        get { self["mediaTypes"] }
        set { self["mediaTypes"] = newValue }
    }
    /// Whether it can be streamed.
    public var streamable: NSNumber? {
        get { number("streamable") }
        set { setNumber("streamable", newValue) }
    }
    /// Whether it is on the device.
    public var local: NSNumber? {
        get { number("local") }
        set { setNumber("local", newValue) }
    }
    /// How often it was played.
    public var playCount: NSNumber? {
        get { number("playCount") }
        set { setNumber("playCount", newValue) }
    }
    /// Its rating.
    public var rating: NSNumber? {
        get { number("rating") }
        set { setNumber("rating", newValue) }
    }
    /// What the rating means.
    public var ratingDescription: String? {
        get { self["ratingDescription"] }
        set { self["ratingDescription"] = newValue }
    }
    /// Whether it is for grown-ups only.
    public var contentRating: NSNumber? {
        get { number("contentRating") }
        set { setNumber("contentRating", newValue) }
    }
    /// The form it had first.
    public var originalFormat: String? {
        get { self["originalFormat"] }
        set { self["originalFormat"] = newValue }
    }
    /// Where it came from first.
    public var originalSource: String? {
        get { self["originalSource"] }
        set { self["originalSource"] = newValue }
    }
    /// Pixels.
    public var pixelWidth: NSNumber? {
        get { number("pixelWidth") }
        set { setNumber("pixelWidth", newValue) }
    }
    /// Pixels.
    public var pixelHeight: NSNumber? {
        get { number("pixelHeight") }
        set { setNumber("pixelHeight", newValue) }
    }
}
