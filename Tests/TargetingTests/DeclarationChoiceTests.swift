import Targeting
import Testing
import WaypostSchema

/// The declaration of which a new scene is.
@Suite struct DeclarationChoiceTests {
    private static let main = SceneDeclaration(name: "main", kind: .windowGroup)
    private static let orders = SceneDeclaration(name: "orders", kind: .windowGroup, matching: ["/orders/"])
    private static let late = SceneDeclaration(name: "late", kind: .windowGroup, matching: ["/late/"])
    private static let lateOrders = SceneDeclaration(
        name: "lateOrders",
        kind: .window,
        matching: ["/LATE/", "/orders/"]
    )
    private static let anything = SceneDeclaration(name: "anything", kind: .windowGroup, matching: ["*"])
    private static let empty = SceneDeclaration(name: "empty", kind: .windowGroup, matching: [])
    private static let scripts = SceneDeclaration(name: "scripts", kind: .documentGroup)
    private static let projector = SceneDeclaration(
        name: "projector",
        kind: .configuration,
        role: "windowExternalDisplayNonInteractive"
    )

    struct Case: CustomTestStringConvertible {
        var declarations: [SceneDeclaration]
        var content: TargetContentIdentifier?
        var supportsMultipleScenes = true

        /// The name of the declaration; `nil` if nothing opens.
        var chosen: String?

        var testDescription: String { "\(declarations.map(\.name)), \(content?.rawValue ?? "nothing")" }
    }

    @Test(arguments: [
        Case(declarations: [main, orders], content: "shop/orders/7", chosen: "orders"),
        Case(declarations: [main, orders], content: "shop/clowns/7", chosen: "main"),
        Case(declarations: [orders, main], content: "shop/clowns/7", chosen: "main"),
        Case(declarations: [late, lateOrders, orders], content: "shop/late/7", chosen: "late"),
        Case(declarations: [late, lateOrders, orders], content: "shop/orders/7", chosen: "lateOrders"),
        Case(declarations: [lateOrders, late], content: "shop/late/7", chosen: "lateOrders"),
        Case(declarations: [anything, orders], content: "shop/orders/7", chosen: "anything"),
        Case(declarations: [orders], content: "shop/clowns/7", chosen: nil),
        Case(declarations: [empty], content: "shop/clowns/7", chosen: nil),
        Case(declarations: [scripts, orders], content: "shop/clowns/7", chosen: nil),
        Case(declarations: [scripts, main], content: "shop/clowns/7", chosen: "main"),
        Case(declarations: [projector, main], content: "shop/clowns/7", chosen: "main"),
        Case(declarations: [projector, orders], content: "shop/clowns/7", chosen: nil),
        Case(declarations: [orders], content: nil, chosen: "orders"),
        Case(declarations: [orders], content: "", chosen: "orders"),
        Case(declarations: [orders, main], content: nil, chosen: "main"),
        Case(declarations: [scripts], content: nil, chosen: "scripts"),
        Case(declarations: [orders], content: "shop/clowns/7", supportsMultipleScenes: false, chosen: "orders"),
    ])
    func firstDeclarationThatMatchesIsChosen(_ example: Case) throws {
        let rules = SelectionRules(
            supportsMultipleScenes: example.supportsMultipleScenes,
            declarations: example.declarations
        )
        let choice = try #require(DeclarationChoice(for: .notification(example.content), by: rules))
        #expect(choice.declaration?.name == example.chosen)
        let decision = SceneSelection.decide(for: .notification(example.content), among: [], rules)
        #expect(decision.outcome == (example.chosen == nil ? .nothing : .create))
        #expect(decision.declaration == example.chosen)
        #expect(decision.explanation.hasSuffix(choice.explanation))
        #expect(decision.findings.contains { $0.hasPrefix("no declaration matches") } == (example.chosen == nil))
    }

    @Test func appThatDoesNotSayItsDeclarationsGetsAPlainScene() {
        #expect(DeclarationChoice(for: .notification("a"), by: SelectionRules()) == nil)
        let decision = SceneSelection.decide(for: .notification("a"), among: [], SelectionRules())
        #expect(decision.outcome == .create)
        #expect(decision.declaration == nil)
        #expect(decision.explanation == "the app has no scene, so a new one is created")
    }

    /// The order of Apple: an open scene that accepts the content comes before any declaration.
    @Test func openSceneThatAcceptsTheContentComesFirst() throws {
        let scene = try SceneCandidate.named("A")
        let decision = SceneSelection.decide(
            for: .notification("shop/orders/7"),
            among: [scene],
            SelectionRules(declarations: [Self.orders])
        )
        #expect(decision.scene == "A")
        #expect(decision.outcome == .activate)
        #expect(decision.declaration == nil)
    }

    @Test(
        arguments: [
            (.urlContext("shop://orders/7"), "orders"), (.userActivity(nil, webpageURL: "a://orders/7"), "orders"),
            (.shortcutItem("x"), "main"),
        ] as [(SceneQuery, String)]
    )
    func contentOfEachCarrierIsCompared(_ query: SceneQuery, name: String) throws {
        let orders = SceneDeclaration(name: "orders", kind: .windowGroup, matching: ["//orders/"])
        let choice = try #require(DeclarationChoice(for: query, by: SelectionRules(declarations: [Self.main, orders])))
        #expect(choice.declaration?.name == name)
    }
}
