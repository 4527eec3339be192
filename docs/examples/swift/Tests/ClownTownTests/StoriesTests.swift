import Testing
import WaypostSchema
import WaypostTesting

private let town = "../../../town"
private let clowns = "https://clowntown.example/clowns"
private let lasso = "https://tv.example/shows/lasso"
private let enrique = Contact(id: "enrique", givenName: "Enrique", handles: ["+14085550101"])

/// Stories with an iPad.
@Suite(.waypost(devices: "\(town)/devices/ipad.yaml")) struct OneDeviceStories {
    @Test func notificationOpensTheSceneThatPrefersItsContent() async throws {
        let iPad = try Waypost.device()
        try await iPad.send(
            "Crusty is near",
            topic: "com.example.clowntown",
            targetContentIdentifier: "\(clowns)/crusty"
        )
        try await iPad.open("Crusty is near").expect(scene: "crusty-detail", reason: .prefers)
    }

    @Test func otherContentOpensTheSceneThatCanDisplayIt() async throws {
        let iPad = try Waypost.device()
        try await iPad.send(
            "Giggles is free",
            topic: "com.example.clowntown",
            targetContentIdentifier: "\(clowns)/giggles"
        )
        try await iPad.open("Giggles is free").expect(scene: "overview", reason: .can)
    }

    @Test func withoutAnIdentifierTheSceneInFrontStays() async throws {
        let iPad = try Waypost.device()
        try await iPad.send("Clown Town turns five", topic: "com.example.clowntown")
        try await iPad.open("Clown Town turns five").expect(scene: "overview", reason: .noIdentifier)
    }

    @Test func batchArrivesOnceAndInOrder() async throws {
        let iPad = try Waypost.device()
        try await iPad.send("Clown {n}", topic: "com.example.clowntown", options: ["count": .integer(20)])
        try await iPad.expectDeliveredOnce()
        #expect(try await iPad.notifications().map(\.title) == (1...20).map { "Clown \($0)" })
    }

    @Test func quickActionOpensItsScene() async throws {
        let iPad = try Waypost.device()
        try await iPad.attach("\(town)/apps/ipad/clowntown.yaml")
        let action = "com.example.clowntown.call-crusty"
        try await iPad.open(app: "com.example.clowntown", shortcutItem: action).expect(scene: "crusty-detail")
    }

    @Test func universalLinkOpensTheAppAndAnotherLinkTheWebsite() async throws {
        let iPad = try Waypost.device()
        try await iPad.open(url: lasso).expect(destination: .app)
        try await iPad.open(url: "https://elsewhere.example/shows/lasso").expect(destination: .website)
    }

    @Test func universalLinkIsAnArgumentIfTheSceneIsConnected() async throws {
        let iPad = try Waypost.device()
        try await iPad.open(url: lasso).expect(deliveries: ["scene(_:continue:) userActivity.webpageURL"])
        try await iPad.expect(visible: ["watch-now"], of: "com.example.tv")
        try await iPad.expectCallbacks(
            of: "com.example.tv",
            for: .universalLink,
            in: .notRunning,
            system: 26,
            deliveries: ["scene.willConnect"],
            notCalled: ["scene.continueUserActivity"],
            findings: [],
            minimumSource: "documented"
        )
    }

    @Test func linkNeedsAContactAndAPin() async throws {
        let iPad = try Waypost.device()
        try await iPad.add(enrique)
        try await iPad.receive("You have to see this: \(lasso)", from: "+14085550101")
        try await iPad.expect(shelf: [])
        try await iPad.pin(lasso)
        try await iPad.expect(shelf: [lasso])
        try await iPad.expect(attribution: "Enrique", of: lasso)
    }

    @Test func linkDisappearsWhenSharingIsOff() async throws {
        let iPad = try Waypost.device()
        try await iPad.add(enrique)
        try await iPad.apply(.sharing(.automaticSharingSet("com.example.tv", isOn: true)))
        try await iPad.receive(lasso, from: "+14085550101")
        try await iPad.expect(shelf: [lasso])
        try await iPad.setSharing(false, with: "com.example.tv")
        try await iPad.expect(shelf: [])
    }
}

/// Stories with two devices.
@Suite struct TwoDeviceStories {
    @Test(.waypost(devices: "\(town)/devices/ipad.yaml", "\(town)/devices/iphone.yaml"))
    func replyArrivesOnTheDeviceOfOneOfTwoSenders() async throws {
        let (iPad, phone) = (try Waypost.device("iPad"), try Waypost.device("Enrique's iPhone"))
        var enrique = enrique
        enrique.tokens = [phone.token]
        try await iPad.add(enrique)
        try await iPad.add(Contact(id: "sarah", givenName: "Sarah", handles: ["+14085550102"]))
        try await iPad.receive("You have to see this: \(lasso)", from: "+14085550101")
        try await Waypost.advance(by: .seconds(3_600))
        try await iPad.receive("Enrique told me about \(lasso)", from: "+14085550102")
        try await iPad.pin(lasso)
        try await iPad.expect(attribution: "Sarah and Enrique", of: lasso)

        #expect(try await iPad.tap(lasso).choices == ["Sarah", "Enrique"])
        #expect(try await iPad.choose("Enrique").conversation == "Enrique")
        try await iPad.reply("Watching it now")
        try await phone.expect(message: "Watching it now")
    }

    @Test(.waypost(devices: "\(town)/devices/ipad.yaml", "\(town)/devices/mac.yaml"))
    func activityContinuesOnAnotherDevice() async throws {
        let (iPad, mac) = (try Waypost.device("iPad"), try Waypost.device("Mac"))
        try await iPad.attach("\(town)/apps/ipad/clowntown.yaml")
        try await iPad.send(
            "Crusty is near",
            topic: "com.example.clowntown",
            targetContentIdentifier: "\(clowns)/crusty"
        )
        try await iPad.open("Crusty is near").expect(scene: "crusty-detail")
        try await iPad.handOff("com.example.clowntown", to: mac)
        try await mac.open(activity: "Crusty").expect(scene: "town", reason: .can)
    }
}
