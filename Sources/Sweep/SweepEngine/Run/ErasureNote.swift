import DeletionPlanning
import Journal

/// The note of a run that says which request it answers. It stays when the run is forgotten: a time limit
/// does not end with the names.
enum ErasureNote {
    static let key = LastingNote.erasureRequest

    /// What writes the note; a run answers one request, and the first that was said.
    static func changes(_ request: ErasureRequest?) -> [JournalChange] {
        request.map { [.noteOnce(key: key, value: Array($0.text.utf8))] } ?? []
    }

    /// What writes that nothing is open any more: once a run's person is forgotten, nobody could tell.
    static let settled = JournalChange.note(key: key, value: Array("settled".utf8))

    /// - Throws: `corrupt` when there is a note that says something else.
    static func request(in note: [UInt8]?) throws(JournalError) -> ErasureRequest? {
        guard let note, !note.elementsEqual("settled".utf8) else { return nil }
        guard let request = ErasureRequest(text: String(decoding: note, as: UTF8.self)) else {
            throw JournalError(.corrupt, "the date of the run's request is damaged")
        }
        return request
    }
}
