/// The user's answer to the offer of automatic sharing with an app.
public enum OfferAnswer: String, StringEnum {
    /// The user turned automatic sharing on.
    case accepted

    /// The user declined; automatic sharing remains off.
    case declined

    /// The offer was dismissed without an answer.
    case ignored
}
