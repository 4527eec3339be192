/// The reason why an item cannot be first, whatever its score.
public enum FirstPlaceGap: String, StringEnum {
    /// The item was shared, or its message edited, too recently.
    case tooRecent

    /// The item was shared too long ago and is not pinned.
    case stale
}
