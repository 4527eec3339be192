internal import GatewayClient
internal import WaypostSchema

/// The notifications of the delivery log that options select; a device has a token, and its apps may have others.
struct SelectedNotifications {
    /// The filter for the gateway; its token is the only one, if there is one.
    var filter: NotificationFilter

    /// The tokens, if there are several.
    private let tokens: [DeviceToken]

    init(_ filter: NotificationFilter, of tokens: [DeviceToken] = []) {
        self.filter = filter
        self.tokens = tokens.count > 1 ? tokens : []
        if tokens.count == 1 { self.filter.token = tokens[0] }
    }

    /// The filters that select all of them together.
    var filters: [NotificationFilter] {
        guard !tokens.isEmpty else { return [filter] }
        return tokens.map { token in
            var filter = filter
            filter.token = token
            return filter
        }
    }

    /// Returns whether a notification that matches the filter for the gateway is one of them.
    func includes(_ notification: NotificationRecord) -> Bool {
        tokens.isEmpty || notification.token.map(tokens.contains) == true
    }

    /// Returns the pages of all filters as one, the oldest first.
    func merged(_ pages: [NotificationPage]) -> NotificationPage {
        guard pages.count > 1, let limit = filter.limit else {
            return pages.first ?? NotificationPage(notifications: [])
        }
        let all = pages.flatMap(\.notifications).sorted { $0.sequence < $1.sequence }
        let isFromStart = filter.afterSequence != nil || filter.earliestArrival != nil
        guard isFromStart else { return NotificationPage(notifications: Array(all.suffix(limit))) }
        // A page that has more may end before the last notification of another one.
        let end = pages.compactMap(\.next).min()
        let complete = all.filter { $0.sequence <= end ?? .max }
        let notifications = Array(complete.prefix(limit))
        return NotificationPage(
            notifications: notifications,
            next: complete.count > limit ? notifications.last?.sequence : end
        )
    }
}

extension GatewayClient {
    /// Returns a page of the selected notifications.
    func notifications(_ selected: SelectedNotifications) async throws(CallError) -> NotificationPage {
        var pages: [NotificationPage] = []
        for filter in selected.filters { pages.append(try await notifications(filter)) }
        return selected.merged(pages)
    }
}
