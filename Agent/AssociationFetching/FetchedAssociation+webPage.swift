internal import UniversalLinks

extension FetchedAssociation {
    private static let webPageTypes = ["text/html", "application/xhtml+xml"]

    /// Whether the server sent a web page instead of the file.
    ///
    /// A usable file with the content type of a web page is not one.
    var isWebPage: Bool {
        hasMarkup || hasTypeOfWebPage && (try? AssociationFile(bytes)) == nil
    }

    private var hasTypeOfWebPage: Bool {
        mediaType.map { Self.webPageTypes.contains($0) } ?? false
    }

    private var hasMarkup: Bool {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.dropFirst(bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0)
        let firstByte = text.first { !" \t\r\n".utf8.contains($0) }
        return firstByte == UInt8(ascii: "<")
    }
}
