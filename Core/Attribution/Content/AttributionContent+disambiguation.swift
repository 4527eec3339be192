public import WaypostSchema

extension AttributionContent {
    /// Returns the menu in which a person chooses one of the conversations.
    ///
    /// - Parameters:
    ///   - app: the app that the menu covers.
    ///   - scene: its scene; `nil` where it has none.
    ///   - url: the URL that the app shows.
    /// - Returns: the menu, the conversation with the latest share first; where there is one conversation, nobody needs it.
    public func disambiguation(
        app: BundleIdentifier,
        scene: SceneIdentifier? = nil,
        url: String
    ) -> DisambiguationMenu {
        DisambiguationMenu(
            app: app,
            scene: scene,
            url: url,
            title: Phrase.conversationQuestion.text(in: language),
            choices: conversations.map { DisambiguationMenu.Choice(conversation: $0.id, title: $0.title) }
        )
    }
}
