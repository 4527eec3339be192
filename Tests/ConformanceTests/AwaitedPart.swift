/// A part of the system that a sentence waits for, as nothing implements the sentence yet.
///
/// Whoever implements it gives the sentence's line a `rule` in place of `waitsFor`.
enum AwaitedPart: String, Decodable, CaseIterable, Sendable {
    case attribution
    case agent

    /// What the document says of it.
    var words: String {
        switch self {
        case .attribution: "attribution, which the device draws"
        case .agent: "the device agent, in what an app asks of it"
        }
    }
}
