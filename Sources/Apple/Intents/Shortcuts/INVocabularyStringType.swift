/// What words of the user's own are about; the numbers are Apple's.
public enum INVocabularyStringType: Int, Sendable, CaseIterable {
    /// Names of people.
    case contactName = 1
    /// Names of groups of people.
    case contactGroupName
    /// Tags of photos.
    case photoTag = 100
    /// Names of albums of photos.
    case photoAlbumName
    /// Names of workouts.
    case workoutActivityName = 200
    /// Names of settings of a car.
    case carProfileName = 300
    /// Names of cars.
    case carName
    /// Names of payees.
    case paymentsOrganizationName = 400
    /// Names of accounts.
    case paymentsAccountNickname
    /// Names of notes.
    case notebookItemTitle = 500
    /// Names of groups of notes.
    case notebookItemGroupName
    /// Names of lists to play.
    case mediaPlaylistTitle = 700
    /// Names of artists.
    case mediaMusicArtistName
    /// Names of books that are read out.
    case mediaAudiobookTitle
    /// Names of their writers.
    case mediaAudiobookAuthorName
    /// Names of podcasts and series.
    case mediaShowTitle
}
