internal import Foundation

/// What a note says: a text or a picture.
public class INNoteContent: INValueObject {}

/// A text in a note.
public final class INTextNoteContent: INNoteContent {
    /// A text.
    public convenience init(text: String) { self.init(["text": text]) }

    /// The text.
    public var text: String? { value("text") }
}

/// A picture in a note; a donation does not keep it.
public final class INImageNoteContent: INNoteContent {
    /// A picture.
    public convenience init(image: INImage) { self.init(["image": image]) }

    /// The picture.
    public var image: INImage? { value("image") }
}
