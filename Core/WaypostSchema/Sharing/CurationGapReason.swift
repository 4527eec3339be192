/// The reason for which a list does not start with a curated item.
public enum CurationGapReason: String, StringEnum {
    /// The list has no items.
    case empty

    /// Every item was shared too recently.
    case tooRecent

    /// Every item was shared too long ago and is not pinned.
    case stale

    /// Every item was shared too recently, or too long ago and is not pinned.
    case tooRecentOrStale
}
