extension INSticker {
    /// What a sticker is made of.
    public enum StickerType: Int, Sendable {
        /// Nobody said.
        case unknown
        /// An emoji.
        case emoji
        /// A picture.
        case generic
    }
}
