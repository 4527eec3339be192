internal import HashTreeCollections
internal import WaypostSchema

extension MessageBook {
    /// Returns a message that has a URL in its text, with its scheme or without, and not as the beginning of another one;
    /// the latest of several.
    ///
    /// - Complexity: O(length of all texts): for questions about links that are not there.
    func mention(of url: String) -> MessageID? {
        let bare = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        guard !bare.isEmpty else { return nil }
        let pattern = Array(bare.utf8)
        let found = messages.filter { TextSearch.contains(pattern, in: $0.value.text, asWholeURL: true) }
        return found.max { ($0.value.sentAt, $0.key.rawValue) < ($1.value.sentAt, $1.key.rawValue) }?.key
    }
}
