/// The gates that a link passes on its way into an app's list, in this order.
public enum SurfacingGate: String, StringEnum {
    /// The device received a message with the link.
    case messageSeen

    /// The link was found in the message's text.
    case linkDetected

    /// The scheme is http or https.
    case webScheme

    /// The link has a content key.
    case contentKey

    /// The user did not send it.
    case notFromMe

    /// Someone in the conversation is a contact.
    case contact

    /// The app is on the device.
    case appInstalled

    /// The app has the Shared with You capability.
    case capability

    /// The app's associated domains have an entry for the link's host.
    case associatedDomain

    /// The domain's association file is known.
    case associationFile

    /// A rule of the file gives the link to the app.
    case associationRule

    /// Sharing is on.
    case sharingEverywhere

    /// Sharing is on for the app.
    case sharingWithApp

    /// Sharing is on for the conversation.
    case sharingFromConversation

    /// A pin of the link or automatic sharing gives permission.
    case permission

    /// The user has not removed the link.
    case notRemoved

    /// No later message of the conversation has the same link.
    case notSuperseded

    /// Links with the same content from other conversations were merged into one item; never stops a link.
    case merged

    /// The link is neither too recent nor stale; keeps it only from the first place.
    case curation

    /// The link has a position in the list; never stops a link.
    case ranked

    /// The app was notified.
    case delivered
}
