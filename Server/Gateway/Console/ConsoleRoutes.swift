internal import CConsole
internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import NIOCore

/// `/` and `/console/NAME`: the page for browsers, whose files are inside the program.
///
/// The page has no data: it calls the same API as scripts, with the token that its user types in.
struct ConsoleRoutes {
    /// The headers of all files.
    private static let headers: HTTPFields = {
        var headers: HTTPFields = [
            .cacheControl: "no-cache",
            .contentSecurityPolicy: ContentSecurityPolicy.console,
            .xContentTypeOptions: "nosniff",
        ]
        headers[.frameOptions] = "DENY"
        headers[.referrerPolicy] = "no-referrer"
        headers[.resourcePolicy] = "same-origin"
        headers[.openerPolicy] = "same-origin"
        return headers
    }()

    func add(to router: Router<ServiceContext>) {
        for (name, type, bytes) in Self.files {
            let body = ByteBuffer(bytes: bytes)
            var headers = Self.headers
            headers[.contentType] = type
            let response = Response(status: .ok, headers: headers, body: .init(byteBuffer: body))
            router.get(name == "index.html" ? "/" : "console/\(name)") { _, _ in response }
        }
    }

    /// The files, with their names and types.
    private static var files: [(name: String, type: String, bytes: UnsafeBufferPointer<UInt8>)] {
        var count = 0
        let files = waypost_console_files(&count)
        return UnsafeBufferPointer(start: files, count: count).map { file in
            (String(cString: file.name), String(cString: file.type), .init(start: file.bytes, count: file.count))
        }
    }
}
