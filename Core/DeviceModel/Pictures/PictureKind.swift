/// A kind of picture that a device draws of links, people and menus; its file is the kind with the suffix `.svg`.
public enum PictureKind: String, Sendable, CaseIterable {
    /// The attribution view of a link.
    case attribution

    /// The menu of the attribution view.
    case menu

    /// The menu in which the user chooses one of a link's conversations.
    case disambiguation

    /// The offer of automatic sharing with an app.
    case offer

    /// The shelf of an app.
    case shelf

    /// The menu or the conversation that is over an app now, or else the first open offer.
    case presentation

    /// The options that change the picture, in the order of messages.
    public var options: [PictureOption] {
        switch self {
        case .attribution: [.backdrop] + PictureOption.user + PictureOption.preferences
        case .menu: PictureOption.user + PictureOption.menu
        case .disambiguation, .offer, .presentation: PictureOption.user
        case .shelf: PictureOption.user + [.limit]
        }
    }
}
