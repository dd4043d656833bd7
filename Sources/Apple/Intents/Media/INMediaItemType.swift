/// What can be played.
public enum INMediaItemType: Int, Sendable {
    /// Nobody said.
    case unknown
    /// A song.
    case song
    /// An album.
    case album
    /// What an artist made.
    case artist
    /// A kind of music.
    case genre
    /// A list.
    case playlist
    /// A podcast.
    case podcastShow
    /// One of its episodes.
    case podcastEpisode
    /// A list of them.
    case podcastPlaylist
    /// A station that plays music.
    case musicStation
    /// A book that is read out.
    case audioBook
    /// A film.
    case movie
    /// A series.
    case tvShow
    /// One of its episodes.
    case tvShowEpisode
    /// A song with picture.
    case musicVideo
    /// A station that plays podcasts.
    case podcastStation
    /// A station.
    case radioStation
    /// A station of any kind.
    case station
    /// Music of any kind.
    case music
    /// A station that a program makes.
    case algorithmicRadioStation
    /// News.
    case news
}
