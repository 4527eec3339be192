/// What a link passes on its way into an app's list, in this order.
public enum SurfacingGate: String, StringChoice {
    /// A message with the link came to the device.
    case messageSeen

    /// The link was found in the message's text.
    case linkDetected

    /// Its scheme is http or https.
    case webScheme

    /// What it is about can be told: it has a content key.
    case contentKey

    /// Somebody else sent it.
    case notFromMe

    /// Somebody in the conversation is a contact.
    case contact

    /// The app is on the device.
    case appInstalled

    /// The app has the Shared with You capability.
    case capability

    /// The app's associated domains have an entry for the link's host.
    case associatedDomain

    /// The domain's association file is known.
    case associationFile

    /// A rule of the file offers the link to the app.
    case associationRule

    /// Sharing is on.
    case sharingEverywhere

    /// Sharing is on for the app.
    case sharingWithApp

    /// Sharing is on for the conversation.
    case sharingFromConversation

    /// A pin of the link or automatic sharing gives permission.
    case permission

    /// The person has not removed it.
    case notRemoved

    /// No later message of the conversation has the same link.
    case notSuperseded

    /// It is one item with the same link of other conversations; never stops a link.
    case merged

    /// It is neither too recent nor stale; keeps a link only from the first place.
    case curation

    /// It has a place in the list; never stops a link.
    case ranked

    /// The app was told.
    case delivered
}

/// How one gate answered.
public struct GateVerdict: Codable, Sendable, Equatable {
    /// How a gate can answer.
    public enum Status: String, StringChoice {
        /// It lets the link through.
        case pass

        /// It does not.
        case fail

        /// It could not be asked, for what failed before it.
        case notReached = "not_reached"
    }

    /// The gate.
    public var gate: SurfacingGate

    /// Its answer.
    public var status: Status

    /// Why, for a person.
    public var explanation: String

    /// The rule of consent that decided; absent at gates that the person's choices have no say at.
    public var rule: ConsentRule?

    /// The choice of the person that decided; absent where none was made.
    public var record: ConsentRecord?

    /// Creates the value from its parts.
    public init(
        gate: SurfacingGate,
        status: Status,
        explanation: String,
        rule: ConsentRule? = nil,
        record: ConsentRecord? = nil
    ) {
        self.gate = gate
        self.status = status
        self.explanation = explanation
        self.rule = rule
        self.record = record
    }
}
