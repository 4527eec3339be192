internal import WaypostSchema

extension SceneQuery {
    /// The text that conditions are evaluated on: the identifier or its fallback (`docs/targeting.md`, rule 4), or
    /// `nil` if there is neither.
    var subject: SceneSubject? {
        if let identifier = targetContentIdentifier?.rawValue, !identifier.isEmpty {
            return SceneSubject(text: identifier, source: .targetContentIdentifier)
        }
        if let webpageURL, !webpageURL.isEmpty { return SceneSubject(text: webpageURL, source: .webpageURL) }
        if let url, !url.isEmpty { return SceneSubject(text: url, source: .url) }
        return nil
    }

    /// Human-readable findings about unusual parts of the query.
    var findings: [String] {
        [
            (targetContentIdentifier?.rawValue, "the target content identifier"),
            (webpageURL, "the webpageURL"),
            (url, "the URL"),
        ].compactMap { text, name in text == "" ? "\(name) is empty, which counts as absent" : nil }
    }
}
