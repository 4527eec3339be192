internal import Foundation

extension AssociationLocation {
    /// Reads what a device file says stands in for a domain: the base URL of a server, or the path of a file.
    ///
    /// - Parameters:
    ///   - text: the URL or the path.
    ///   - file: the device file, which relative paths start at.
    /// - Throws: `DevelopmentServerError` where it is a URL that cannot be used.
    package init(standIn text: String, besides file: String) throws(DevelopmentServerError) {
        if text.contains("://") {
            self = .developmentServer(try DevelopmentServerURL(text).text)
        } else {
            let folder = URL(filePath: file).deletingLastPathComponent()
            self = .localFile(path: URL(filePath: text, relativeTo: folder).standardizedFileURL.path)
        }
    }
}
