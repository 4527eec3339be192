/// The reason why the first item of a list is not curated.
public enum CurationGap: String, StringEnum {
    /// The list has no items.
    case empty

    /// Every item was shared too recently.
    case tooRecent

    /// Every item was shared too long ago and is not pinned.
    case stale

    /// Every item was shared too recently, or too long ago and is not pinned.
    case tooRecentOrStale
}
