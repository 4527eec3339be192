/// A part of the list of the open streams of a namespace at one gateway.
public struct StreamPage: Codable, Sendable, Equatable {
    /// The streams, in the order of their agents.
    public var streams: [OpenStream]

    /// The agent after whose stream the next page begins; absent if this is the last one.
    public var next: Int?

    /// Creates the value from its parts.
    public init(streams: [OpenStream], next: Int? = nil) {
        self.streams = streams
        self.next = next
    }
}
