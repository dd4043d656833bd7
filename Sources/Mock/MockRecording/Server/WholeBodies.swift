import HTTPServer

/// An application that is asked once the whole body of a request is there: as long as an upload may be, or
/// any other request of the service.
protocol WholeBodies: HTTPApplication {}

extension WholeBodies {
    func use(
        ofBodyOf head: HTTPRequest, length: Int?, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPBodyUse {
        .collect(
            bytesMax: AddressBook.isUpload(head.path)
                ? RecordingLimits.assetBytesMax : RecordingLimits.requestBytesMax)
    }
}
