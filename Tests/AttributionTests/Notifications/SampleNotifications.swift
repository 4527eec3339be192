import Attribution
import WaypostSchema

/// Notifications for pictures, in each language.
enum SampleNotifications {
    static let now = Timestamp(milliseconds: 1_790_005_260_000)

    /// Returns notifications of different ages and lengths.
    static func cards(in language: AttributionLanguage) -> [NotificationCard] {
        let texts: [(title: String, subtitle: String, body: String)] =
            switch language {
            case .english:
                [
                    (
                        "Lasso", "Season 3, Episode 1",
                        "A coach from Kansas takes over a football team, and nobody knows why."
                    ),
                    ("The bread is ready", "", "Take it out of the oven in 5 minutes."),
                ]
            case .simplifiedChinese:
                [("足球教练", "第三季第一集", "一位来自堪萨斯州的教练接手了一支足球队，没有人知道为什么。"), ("面包好了", "", "请在五分钟后从烤箱中取出。")]
            case .japanese:
                [
                    ("サッカーのコーチ", "シーズン3、第1話", "カンザスから来たコーチがチームを引き継ぎますが、その理由は誰にもわかりません。"),
                    ("パンが焼けました", "", "5分後にオーブンから出してください。"),
                ]
            case .korean:
                [
                    ("축구 코치", "시즌 3, 1화", "캔자스에서 온 코치가 축구팀을 맡지만 그 이유는 아무도 모릅니다."),
                    ("빵이 다 구워졌습니다", "", "5분 후에 오븐에서 꺼내세요."),
                ]
            }
        let ages = [0, 5 * 60_000, 3 * 3_600_000, 50 * 3_600_000]
        return ages.enumerated().map { index, age in
            let text = texts[index % texts.count]
            return card(text.title, text.subtitle, text.body, age: age, more: index * 2, in: language)
        }
    }

    static func card(
        _ title: String?,
        _ subtitle: String?,
        _ body: String?,
        app: String = "TV",
        sender: ShownPerson? = nil,
        age: Int = 0,
        more: Int = 0,
        in language: AttributionLanguage = .english
    ) -> NotificationCard {
        var notification = DeviceNotification(
            id: "n",
            topic: "com.example.tv",
            title: title,
            receivedAt: Timestamp(milliseconds: now.rawValue - age)
        )
        notification.subtitle = subtitle
        notification.body = body
        return NotificationCard(notification, app: app, sender: sender, more: more, at: now, in: language)
    }
}
