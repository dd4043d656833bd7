import HTTPServer

extension HTTPResponse {
    /// A recorded answer, as it goes out.
    init(_ answer: RecordedAnswer) {
        var headers = HTTPHeaders()
        for header in answer.headers { headers.append(header.name, header.value) }
        self.init(status: answer.status, headers: headers, body: answer.body)
    }
}
