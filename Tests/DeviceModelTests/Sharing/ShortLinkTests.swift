import Testing
import WaypostSchema

/// Short links, which are resolved to other links.
@Suite struct ShortLinkTests {
    private static let short = "https://short.example/abc"
    private var device = SharingDevice()

    private mutating func resolve(_ url: String = Self.short, to target: String = Link.show) -> [DeviceEffect] {
        device.apply(.sharing(.linkResolved(url: url, target: target)))
    }

    @Test(arguments: [true, false])
    mutating func shortLinkSurfacesAsItsTarget(isResolvedFirst: Bool) {
        device.shareAutomatically(with: .tv)
        if isResolvedFirst { _ = resolve() }
        device.receive("Look: \(Self.short)")
        #expect(device.shelf() == (isResolvedFirst ? [Link.show] : []))
        if !isResolvedFirst { _ = resolve() }
        #expect(device.shelf() == [Link.show])
        #expect(device.explanation(of: Self.short).isSurfaced)
        #expect(device.explanation(of: Self.short).key == device.explanation(of: Link.show).key)
    }

    @Test mutating func shortLinkAndItsTargetAreOneItem() {
        device.shareAutomatically(with: .tv)
        device.receive(Self.short, from: .sarah, in: .sarah)
        device.receive(Link.show, from: .enrique, in: .enrique)
        _ = resolve()
        #expect(device.shelf() == [Link.show])
        #expect(device.item(Link.show)?.conversations == [.enrique, .sarah])
    }

    @Test mutating func pinMovesToTheTarget() {
        device.pin(device.receive(Self.short))
        #expect(device.shelf().isEmpty)
        _ = resolve()
        #expect(device.item(Link.show)?.isPinned == true)
    }

    @Test mutating func removalMovesToTheTarget() {
        device.shareAutomatically(with: .tv)
        device.receive(Self.short)
        device.apply(.sharing(.linkRemoved(url: Self.short)))
        _ = resolve()
        #expect(device.shelf().isEmpty)
        #expect(device.explanation(of: Link.show).decidedBy == .notRemoved)
    }

    @Test mutating func pinOfAShortLinkAppliesToItsTarget() {
        _ = resolve()
        let message = device.receive(Self.short)
        device.pin(message, Link.show)
        #expect(device.item(Link.show)?.isPinned == true)
        device.unpin(message, Self.short)
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func firstResolutionStays() {
        device.shareAutomatically(with: .tv)
        device.receive(Self.short)
        _ = resolve()
        #expect(resolve(to: Link.otherShow).ignored == [.resolvedBefore])
        #expect(device.shelf() == [Link.show])
    }

    @Test mutating func linkThatResolvesToItselfIsIgnored() {
        #expect(resolve(Link.show, to: "\(Link.show)?utm_source=share").ignored == [.resolvedBefore])
    }

    @Test mutating func onlyWebLinksCanBeResolved() {
        #expect(resolve("mailto:sam@example.com").ignored == [.notAWebURL])
        #expect(resolve(to: "shows/lasso").ignored == [.notAWebURL])
    }

    @Test(arguments: [true, false])
    mutating func chainOfShortLinksIsFollowedToItsEnd(isFromTheFrontOn: Bool) {
        let middle = "https://short.example/middle"
        device.pin(device.receive(Self.short))
        let steps = [(Self.short, middle), (middle, Link.show)]
        for (url, target) in isFromTheFrontOn ? steps : steps.reversed() { _ = resolve(url, to: target) }
        #expect(device.shelf() == [Link.show])
        #expect(device.item(Link.show)?.isPinned == true)
    }

    @Test mutating func circularResolutionIsIgnored() {
        device.shareAutomatically(with: .tv)
        device.receive(Self.short)
        _ = resolve()
        #expect(resolve(Link.show, to: Self.short).ignored == [.resolvedBefore])
        #expect(device.shelf() == [Link.show])
    }

    @Test mutating func pinStaysWhenTheTargetIsResolvedToo() {
        device.pin(device.receive(Self.short))
        _ = resolve(to: Link.show)
        _ = resolve(Link.show, to: Link.otherShow)
        #expect(device.items().map(\.isPinned) == [true])
    }

    @Test mutating func removalStaysWhenTheTargetIsResolvedToo() {
        device.shareAutomatically(with: .tv)
        device.receive(Self.short)
        _ = resolve(to: Link.show)
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        _ = resolve(Link.show, to: Link.otherShow)
        #expect(device.shelf().isEmpty)
    }
}
