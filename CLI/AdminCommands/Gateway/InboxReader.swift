internal import WaypostSchema

/// A reader of the inboxes of several tokens as one, the oldest notification first.
///
/// It holds at most a page of each inbox, and shorter pages of many inboxes, because an inbox may be large.
struct InboxReader {
    private struct Cursor {
        let token: DeviceToken

        /// The notifications that were read and not returned yet.
        var entries: ArraySlice<InboxEntry> = []

        /// The sequence after which the next page begins; `nil` after the last one.
        var next: Int? = 0
    }

    /// The maximum number of notifications in a page.
    private static let maximumPageLength = 100

    /// The maximum number of notifications in the pages of all inboxes, as long as each page has one.
    private static let maximumLength = 1_000

    private let pageLength: Int
    private var cursors: [Cursor]

    init(of tokens: [DeviceToken]) {
        cursors = tokens.map { Cursor(token: $0) }
        pageLength = max(1, min(Self.maximumPageLength, Self.maximumLength / max(1, tokens.count)))
    }

    /// Returns the next notification, or `nil` after the last one.
    ///
    /// - Parameter page: returns the page of the inbox of a token after a sequence, with a maximum length.
    /// - Returns: the notification.
    /// - Throws: what `page` throws.
    mutating func next(
        reading page: (_ token: DeviceToken, _ sequence: Int, _ limit: Int) async throws -> InboxPage
    ) async throws -> InboxEntry? {
        for index in cursors.indices {
            while cursors[index].entries.isEmpty, let sequence = cursors[index].next {
                let answer = try await page(cursors[index].token, sequence, pageLength)
                cursors[index].entries = answer.notifications[...]
                cursors[index].next = answer.next
            }
        }
        cursors.removeAll { $0.entries.isEmpty }
        let oldest = cursors.indices.min { lhs, rhs in
            Self.sequence(of: cursors[lhs]) < Self.sequence(of: cursors[rhs])
        }
        return oldest.flatMap { cursors[$0].entries.popFirst() }
    }

    private static func sequence(of cursor: Cursor) -> Int {
        cursor.entries.first?.notification.sequence ?? .max
    }
}
