import CoreSpotlight
import Testing

/// Kinds of content.
struct ContentTypeTests {
    @Test func `a picture is an image, content and data, and no text`() {
        #expect(UTType.jpeg.conforms(to: .image))
        #expect(UTType.jpeg.isSubtype(of: .data))
        #expect(UTType.content.isSupertype(of: .jpeg))
        #expect(!UTType.jpeg.conforms(to: .text))
        #expect(UTType.jpeg.conforms(to: .jpeg) && !UTType.jpeg.isSubtype(of: .jpeg))
        #expect(UTType.svg.supertypes.isSuperset(of: [.image, .xml, .text, .item]))
    }

    @Test func `files and media types find their type`() {
        #expect(UTType(filenameExtension: "JPG") == .jpeg)
        #expect(UTType(mimeType: "text/html") == .html)
        #expect(UTType.jpeg.preferredFilenameExtension == "jpeg")
        #expect(UTType.pdf.preferredMIMEType == "application/pdf")
        #expect(UTType(filenameExtension: "mp4", conformingTo: .movie) == .mpeg4Movie)
        #expect(UTType(filenameExtension: "mp4", conformingTo: .text) == nil)
        #expect(UTType(filenameExtension: "soup") == nil)
    }

    @Test func `a type of the app's own conforms to itself alone`() {
        let soup = UTType(exportedAs: "com.example.soup", conformingTo: .data)
        #expect(soup.supertypes.isEmpty && soup.conforms(to: soup) && !soup.isDeclared)
        let attributes = CSSearchableItemAttributeSet(contentType: soup)
        #expect(attributes.contentType == "com.example.soup")
    }
}
