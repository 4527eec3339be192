public import WaypostSchema

extension MenuCard {
    /// Creates the view's own menu: Reply, Remove, and the app's items.
    public init(_ menu: AttributionMenu) {
        self.init(sections: menu.sections.map { $0.map(Row.init) })
    }

    /// Creates an app's context menu with the view's items in it.
    public init(_ menu: ContextMenu) {
        self.init(sections: menu.sections.map { $0.map(Row.init) })
    }

    /// Creates the menu of a link's conversations.
    ///
    /// - Parameters:
    ///   - menu: the menu.
    ///   - people: the people of each conversation, whose avatars are beside its title.
    ///   - language: the language of the Cancel row.
    public init(
        _ menu: DisambiguationMenu,
        people: [ConversationID: [ShownPerson]] = [:],
        in language: AttributionLanguage
    ) {
        let choices = menu.choices.map { choice in
            Row(title: choice.title, kind: .action, people: people[choice.conversation] ?? [])
        }
        self.init(title: menu.title, sections: Self.sections(choices, closedBy: .cancel, language))
    }

    /// Creates the offer of automatic sharing.
    ///
    /// - Parameters:
    ///   - app: the app's name.
    ///   - language: the language of the text.
    public init(offerFor app: String, in language: AttributionLanguage) {
        let turnOn = Row(title: Phrase.turnOn.text(in: language), kind: .action)
        self.init(
            title: Wording.sharingQuestion(app: app, in: language),
            message: Phrase.sharingMessage.text(in: language),
            sections: Self.sections([turnOn], closedBy: .notNow, language)
        )
    }

    private static func sections(
        _ rows: [Row],
        closedBy phrase: Phrase,
        _ language: AttributionLanguage
    ) -> [[Row]] {
        [rows, [Row(title: phrase.text(in: language), kind: .cancel)]].filter { !$0.isEmpty }
    }
}

extension MenuCard.Row {
    fileprivate init(_ item: MenuItem) {
        self.init(title: item.title, kind: item.id == .remove ? .destructive : .action)
    }
}
