internal import Foundation

/// Something to listen to or to watch.
public final class INPlayMediaIntent: INIntent {
    /// Something to play.
    public convenience init(
        mediaItems: [INMediaItem]?, mediaContainer: INMediaItem? = nil, playShuffled: Bool? = nil,
        playbackRepeatMode: INPlaybackRepeatMode = .unknown, resumePlayback: Bool? = nil,
        playbackQueueLocation: INPlaybackQueueLocation = .unknown, playbackSpeed: Double? = nil,
        mediaSearch: INMediaSearch? = nil
    ) {
        self.init()
        values["mediaItems"] = mediaItems
        values["mediaContainer"] = mediaContainer
        values["playShuffled"] = playShuffled
        values["playbackRepeatMode"] = playbackRepeatMode.rawValue
        values["resumePlayback"] = resumePlayback
        values["playbackQueueLocation"] = playbackQueueLocation.rawValue
        values["playbackSpeed"] = playbackSpeed
        values["mediaSearch"] = mediaSearch
    }

    /// What is played.
    public var mediaItems: [INMediaItem]? { value("mediaItems") }

    /// What the items belong to, such as a show or an album.
    public var mediaContainer: INMediaItem? { value("mediaContainer") }

    /// Whether in another order.
    public var playShuffled: Bool? { value("playShuffled") }

    /// What is repeated.
    public var playbackRepeatMode: INPlaybackRepeatMode { code("playbackRepeatMode", or: .unknown) }

    /// Whether it goes on where it stopped.
    public var resumePlayback: Bool? { value("resumePlayback") }

    /// Where in the queue it is put.
    public var playbackQueueLocation: INPlaybackQueueLocation {
        code("playbackQueueLocation", or: .unknown)
    }

    /// How fast; 1 is as recorded.
    public var playbackSpeed: Double? { value("playbackSpeed") }

    /// What was searched for.
    public var mediaSearch: INMediaSearch? { value("mediaSearch") }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "mediaItems", \INPlayMediaIntent.mediaItems),
            .init(stored: "mediaContainer", \INPlayMediaIntent.mediaContainer),
            .init(stored: "playShuffled", \INPlayMediaIntent.playShuffled),
            .init(stored: "playbackRepeatMode", \INPlayMediaIntent.playbackRepeatMode),
            .init(stored: "resumePlayback", \INPlayMediaIntent.resumePlayback),
            .init(stored: "playbackQueueLocation", \INPlayMediaIntent.playbackQueueLocation),
            .init(stored: "playbackSpeed", \INPlayMediaIntent.playbackSpeed),
            .init(stored: "mediaSearch", \INPlayMediaIntent.mediaSearch),
        ]
    }

    public override class var donationCombinations: [INParameterTable.Combination] {
        [
            .init(["mediaItems"], title: "Play ${mediaItems}"),
            .init(["mediaContainer"], title: "Play ${mediaContainer}"),
            .init(
                ["mediaItems", "mediaContainer"], title: "Play ${mediaItems} of ${mediaContainer}"),
        ]
    }

    public override func handlingPhases(of handler: Any) -> INIntentPhases? {
        guard let handler = handler as? any INPlayMediaIntentHandling else { return nil }
        return INIntentPhases(
            for: INPlayMediaIntent.self,
            resolving: [
                "mediaItems": { intent, answer in
                    handler.resolveMediaItems(for: intent) { answer(.list($0)) }
                }
            ],
            confirming: { handler.confirm(intent: $0, completion: $1) },
            handling: { handler.handle(intent: $0, completion: $1) })
    }
}
