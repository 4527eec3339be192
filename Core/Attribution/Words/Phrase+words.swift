extension Phrase {
    /// A phrase in each of the languages.
    typealias Words = (english: String, simplifiedChinese: String, japanese: String, korean: String)

    /// The texts of the phrase: English, simplified Chinese, Japanese and Korean.
    ///
    /// If the platform has a term, it is used.
    var words: Words {
        switch self {
        case .sharedWithYou: ("Shared with You", "与你共享", "あなたと共有", "나와 공유된 항목")
        case .showMore: ("Show More", "显示更多", "すべて見る", "더 보기")
        case .reply: ("Reply", "回复", "返信", "답장")
        case .remove: ("Remove", "移除", "削除", "제거")
        case .removeLink: ("Remove Link", "移除链接", "リンクの削除", "링크 제거")
        case .cancel: ("Cancel", "取消", "キャンセル", "취소")
        case .pinned: ("Pinned", "已置顶", "ピンで固定済み", "고정됨")
        case .unknownPerson: ("Unknown Sender", "未知发件人", "不明な差出人", "알 수 없는 발신자")
        case .oneOther: ("1 other", "另外1人", "ほか1人", "외 1명")
        case .severalOthers: ("%@ others", "另外%@人", "ほか%@人", "외 %@명")
        case .conversationQuestion:
            ("Reply in which conversation?", "在哪个对话中回复？", "どの会話に返信しますか？", "어느 대화에 답장하시겠습니까?")
        case .sharingQuestion:
            ("Share automatically with %@?", "要与“%@”自动共享吗？", "「%@」と自動的に共有しますか？", "%@ 앱과 자동으로 공유하시겠습니까?")
        case .sharingMessage:
            (
                "Links that you get in Messages will be shown in this app. It does not learn who sent them.",
                "你在“信息”中收到的链接将显示在此应用中。此应用不会得知是谁发送的。",
                "「メッセージ」で受け取ったリンクがこのアプリに表示されます。誰が送ったかはアプリに伝わりません。",
                "메시지에서 받은 링크가 이 앱에 표시됩니다. 누가 보냈는지는 앱에 알려지지 않습니다."
            )
        case .turnOn: ("Turn On", "启用", "オンにする", "켜기")
        case .notNow: ("Not Now", "以后", "今はしない", "나중에")
        case .sharedBy: ("Shared by %@", "由%@共享", "%@が共有", "%@ 님이 공유함")
        case .severalConversations: ("In %@ conversations", "在%@个对话中", "%@件の会話", "대화 %@개")
        case .now: ("now", "现在", "今", "지금")
        case .minutesAgo: ("%@ min ago", "%@分钟前", "%@分前", "%@분 전")
        case .hoursAgo: ("%@ h ago", "%@小时前", "%@時間前", "%@시간 전")
        case .daysAgo: ("%@ d ago", "%@天前", "%@日前", "%@일 전")
        case .severalMore: ("%@ more", "还有%@条", "ほか%@件", "외 %@개")
        }
    }
}
