public import WaypostSchema

/// The content of a notification on the Lock Screen or in a banner.
public struct NotificationCard: Sendable, Equatable {
    /// The first line: the title, or the name of the app if there is no title.
    public let title: String

    /// The line below the title; `nil` for none.
    public let subtitle: String?

    /// The text; `nil` for none.
    public let body: String?

    /// The time since the arrival, such as `5 min ago`.
    public let time: String

    /// The number of older notifications in the same group, such as `2 more`; `nil` for none.
    public let more: String?

    /// The sender of a communication notification, whose avatar is in the place of the app's icon; `nil` for none.
    public let sender: ShownPerson?

    /// The letter of the app's icon; a device does not know the icons of apps.
    let letter: String

    /// The color of the app's icon, always the same for an app.
    let color: AvatarColor

    /// Creates the content.
    ///
    /// - Parameters:
    ///   - notification: the notification; its texts are made plain.
    ///   - app: the app's name, as the user sees it.
    ///   - sender: the sender of a communication notification.
    ///   - more: the number of older notifications in the same group.
    ///   - now: the present time.
    ///   - language: the language of the time.
    public init(
        _ notification: DeviceNotification,
        app: String,
        sender: ShownPerson? = nil,
        more: Int = 0,
        at now: Timestamp,
        in language: AttributionLanguage
    ) {
        let name = PlainText.plain(app)
        self.sender = sender
        func plain(_ text: String?) -> String? {
            text.map(PlainText.plain).flatMap { $0.isEmpty ? nil : $0 }
        }
        // The title of a notification without one is its text.
        let hasTitle = notification.title != notification.body
        title = plain(hasTitle ? notification.title : nil) ?? name
        subtitle = plain(notification.subtitle)
        body = plain(notification.body)
        time = Wording.time(since: notification.receivedAt, at: now, in: language)
        self.more = more == 0 ? nil : Phrase.severalMore.text(in: language, with: String(more))
        letter = Initial(of: name).map { PlainText.plain($0.text) } ?? "•"
        let hash = notification.topic.rawValue.utf8.reduce(0) { ($0 * 31 + Int($1)) % AvatarColor.count }
        color = AvatarColor(index: hash)
    }
}
