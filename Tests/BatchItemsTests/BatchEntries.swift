import BatchItems
import JSONScanning

/// Returns all entries of `bytes`, which may contain an array of items or lines.
func entries(_ bytes: [UInt8]) throws(BatchItemReader.BodyError) -> [BatchItemReader.Entry] {
    var reader = BatchItemReader(bytes)
    var entries: [BatchItemReader.Entry] = []
    while let entry = try reader.next() { entries.append(entry) }
    return entries
}

/// Returns all entries of `text`.
func entries(_ text: String) throws(BatchItemReader.BodyError) -> [BatchItemReader.Entry] {
    try entries(Array(text.utf8))
}

extension BatchItemReader.Entry {
    /// Returns the token of the item in `text`, or the description of its error.
    func outcome(in text: String) -> String {
        switch result {
        case .success(let item): item.token.string(in: Array(text.utf8))
        case .failure(let error): error.description
        }
    }
}

/// Returns a small item that its token identifies.
func item(_ token: String) -> String {
    #"{"token":"\#(token)","topic":"b","payload":{}}"#
}
