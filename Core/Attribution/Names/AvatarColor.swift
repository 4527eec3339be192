/// The colour of a person's avatar, one of twelve; the same for as long as the person is the same.
public struct AvatarColor: Sendable, Hashable {
    /// Which of the colours, from 0 to 11.
    public let index: Int
}
