internal import WaypostSchema

extension SceneQuery {
    /// What conditions are evaluated on: the identifier, or what stands in for it (`docs/targeting.md`, rule 4); `nil`
    /// where there is neither.
    var subject: SceneSubject? {
        if let identifier = targetContentIdentifier?.rawValue, !identifier.isEmpty {
            return SceneSubject(text: identifier, source: .targetContentIdentifier)
        }
        if let webpageURL, !webpageURL.isEmpty { return SceneSubject(text: webpageURL, source: .webpageURL) }
        if let url, !url.isEmpty { return SceneSubject(text: url, source: .url) }
        return nil
    }

    /// What is odd about the question, for a person.
    var findings: [String] {
        [
            (targetContentIdentifier?.rawValue, "the target content identifier"),
            (webpageURL, "the webpageURL"),
            (url, "the URL"),
        ].compactMap { text, name in text == "" ? "\(name) is empty, which counts as absent" : nil }
    }
}
