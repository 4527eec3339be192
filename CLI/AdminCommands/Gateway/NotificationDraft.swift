internal import Foundation
internal import WaypostSchema

/// A notification in options, whose token may not be known before its topic is.
struct NotificationDraft {
    /// The notification; its token is empty if there is none yet.
    var item: BatchItem

    /// The bytes of the payload, which are sent unchanged instead of being encoded again; `nil` to encode it.
    var payload: [UInt8]?

    /// Returns the notification as an item of a batch, on one line.
    ///
    /// - Throws: `CommandFailure` if there is no token.
    func line() throws -> [UInt8] {
        guard item.token != "" else { throw CommandFailure.unusable("a notification needs --to or --token") }
        guard let payload else { return Array(try JSONOutput.line(item).utf8) }
        var itemWithoutPayload = item
        itemWithoutPayload.payload = .object([:])
        // The text to replace occurs once, because quotation marks inside strings are escaped.
        let parts = try JSONOutput.line(itemWithoutPayload).components(separatedBy: #""payload":{}"#)
        return Array((parts[0] + #""payload":"#).utf8) + payload + Array(parts[1].utf8)
    }
}
