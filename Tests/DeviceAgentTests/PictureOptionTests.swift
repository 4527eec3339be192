import DeviceModel
import GatewayClient
import Testing
import WaypostSchema
import WaypostTestSupport

/// Pictures of a running device: their options, and that they are those of its journal.
@Suite(.timeLimit(.minutes(5))) struct PictureOptionTests {
    private static let values: [PictureOption: String] = [
        .backdrop: "colorful", .style: "dark", .contentSizeCategory: "XL", .locale: "ja", .limit: "1",
        .displayContext: "detail", .horizontalAlignment: "trailing", .backgroundStyle: "material",
        .preferredMaxLayoutWidth: "200", .width: "220", .height: "30", .minimumContentSizeCategory: "medium",
        .maximumContentSizeCategory: "accessibilityMedium", .menuTitleForHideAction: "リンクの削除",
        .supplementalMenuItem: "ダウンロード",
    ]

    static let link = "https%3A%2F%2Ftv.example%2Fshows%2Flasso"

    /// Events that put the link into another conversation, too.
    private static let secondConversation: [DeviceEvent] = [
        .sharing(
            .messageReceived(
                Message(id: "m2", conversation: "c2", sender: "+14085550101", text: "Once more: \(AppAgent.url)")
            )
        ),
        .sharing(.linkPinned("m2", url: nil)),
    ]

    /// Applies the scenario with two conversations, and taps the view; returns its handle.
    private static func tapView(_ agent: AppAgent) async throws -> AttributionViewID {
        try await agent.apply(AppAgent.scenario + secondConversation)
        let tv = try await agent.process(of: AppAgent.tv)
        let view = try await tv.attribution(AttributionRequest(url: AppAgent.url)).view
        try await agent.apply([.attribution(.attributionTapped(AppAgent.tv, view, nil))])
        return view
    }

    private static func query(of kind: PictureKind) -> [(name: String, value: String)] {
        let options = kind.options.compactMap { option in values[option].map { (name: option.rawValue, value: $0) } }
        let isOfLink = [PictureKind.attribution, .menu, .disambiguation].contains(kind)
        return (isOfLink ? [(name: "url", value: AppAgent.url)] : []) + options
    }

    private static func picture(_ kind: PictureKind, _ agent: AppAgent) async throws -> String {
        let (client, query) = (agent.client, query(of: kind))
        guard kind != .presentation else {
            return try await client.presentationPicture(query: query, on: AppAgent.device)
        }
        return try await client.picture(kind.rawValue, in: AppAgent.tv, query: query, on: AppAgent.device)
    }

    @Test func sameOptionsGiveTheSamePictureFromTheJournal() async throws {
        try await AppAgent.run { agent in
            _ = try await Self.tapView(agent)
            var pictures: [PictureKind: String] = [:]
            for kind in PictureKind.allCases { pictures[kind] = try await Self.picture(kind, agent) }
            var model = DeviceModel()
            for entry in try await agent.client.wholeJournal(of: AppAgent.device) {
                _ = model.apply(entry.event, at: entry.at)
            }
            for kind in PictureKind.allCases {
                var options = PictureOptions()
                for (option, value) in Self.values where kind.options.contains(option) {
                    try options.set(option, to: value)
                }
                let link = PicturedLink(AppAgent.url, in: AppAgent.tv)
                let picture = try model.picture(kind, of: link, options).svg(options.appearance)
                #expect(picture.hasPrefix("<svg"))
                #expect(pictures[kind] == picture, "\(kind)")
            }
        }
    }

    @Test func viewIsNamedByItsHandleOrItsLink() async throws {
        try await AppAgent.run { agent in
            let view = try await Self.tapView(agent)
            let options = "backdrop=colorful&locale=ko"
            let path = "\(agent.path)/apps/\(AppAgent.tv)"
            let byHandle = try await agent.control.getString("/v1/attributions/\(view).svg?\(options)")
            let byParameter = try await agent.control.getString("\(path)/attribution.svg?view=\(view)&\(options)")
            let byLink = try await agent.control.getString("\(path)/attribution.svg?url=\(Self.link)&\(options)")
            #expect(byHandle == byLink)
            #expect(byParameter == byLink)
            let report: AttributionReport = try await agent.control.get(
                "\(path)/attribution?view=\(view)&locale=ko&width=180&menuTitleForHideAction=Zzz"
            )
            #expect(report.size.width == 180 && report.language == "ko")
            #expect(report.findings.map(\.code) == [.hideTitleWithoutRemove])
            let views = try await agent.client.requestedAttributions(on: AppAgent.device)
            #expect(views.map(\.attribution.view) == [view])
        }
    }

    private static func expectRefusal(
        _ agent: AppAgent,
        _ path: String,
        status: Int,
        message: String
    ) async {
        let error = await #expect(throws: CallError.self) {
            _ = try await agent.control.getString(agent.path + path)
        }
        guard case .refused(let observedStatus, let refusal) = error else {
            Issue.record("\(path) is accepted")
            return
        }
        #expect(observedStatus == status, "\(refusal.message)")
        #expect(refusal.message.contains(message), "\(refusal.message)")
    }

    @Test func offerIsDrawnAndPresentedWhileItIsOpen() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let offer = try await agent.client.offerPicture(of: AppAgent.tv, on: AppAgent.device)
            let presented = try await agent.client.presentationPicture(on: AppAgent.device)
            #expect(offer.hasPrefix("<svg"))
            #expect(presented == offer)
            let japanese = try await agent.control.getString("\(agent.path)/presentation.svg?locale=ja&style=dark")
            #expect(japanese.contains("lang=\"ja\""))
            try await agent.apply([.sharing(.automaticSharingOfferAnswered(AppAgent.tv, .declined))])
            let path = "/apps/\(AppAgent.tv)/offer.svg"
            let reason = "automatic sharing with com.example.tv is not offered now"
            await Self.expectRefusal(agent, path, status: 409, message: reason)
            await Self.expectRefusal(agent, "/presentation.svg", status: 409, message: "nothing is shown over an app")
        }
    }

    @Test(
        arguments: [
            ("attribution.svg?url=\(link)&style=blue", 400, "style: 'blue' is not accepted; use one of light, dark"),
            ("attribution.svg?url=\(link)&style=dark&style=dark", 400, "style: the option is given more than once"),
            ("attribution.svg?url=\(link)&color=red", 400, "color: there is no such option here; the options are url"),
            ("attribution.svg?url=\(link)&view=x", 400, "view: give one of url and view, not both"),
            ("attribution.svg?view=x", 404, "there is no attribution view x"),
            ("attribution.svg", 400, "url: the parameter is missing"),
            ("attribution.svg?url=https%3A%2F%2Ftv.example%2Fa", 404, "GET …/explain?url= shows why"),
            ("attribution?url=\(link)&backdrop=colorful", 400, "backdrop: there is no such option here"),
            (
                "menu.svg?url=\(link)&backdrop=colorful", 400,
                "the options are url, view, style, contentSizeCategory, locale, menuTitleForHideAction"
            ),
            ("menu.svg?url=\(link)&contentSizeCategory=huge", 400, "contentSizeCategory: 'huge' is not a text size"),
            ("disambiguation.svg?url=\(link)", 409, "the link is from one conversation only"),
            ("offer.svg?locale=English", 400, "locale: 'English' is not a language tag"),
            ("offer.svg?limit=1", 400, "limit: there is no such option here; the options are style"),
            ("shelf.svg?limit=x", 400, "limit: 'x' is not a number from 0 to 100"),
            ("/presentation.svg?style=blue", 400, "style: 'blue' is not accepted"),
        ] as [(String, Int, String)]
    )
    func wrongOptionIsRefused(_ path: String, status: Int, message: String) async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let name = path.hasPrefix("/") ? path : "/apps/\(AppAgent.tv)/\(path)"
            await Self.expectRefusal(agent, name, status: status, message: message)
        }
    }
}
