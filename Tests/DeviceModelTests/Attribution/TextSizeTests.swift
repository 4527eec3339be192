import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// The text size of an attribution view, and the height that its app reserves for it.
@Suite struct TextSizeTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.show)
    }

    private mutating func prefer(_ category: ContentSizeCategory) {
        device.apply(.setting(.contentSizeCategorySet(category)))
    }

    /// The text size in the picture of the first view.
    private var drawnSize: Int? {
        device.model.drawing(of: AttributionViewID.first)?.layout.text?.size
    }

    @Test(.proves("B84"), arguments: SizeBounds.cases)
    mutating func boundsOfTheAppLimitTheTextWhateverTheUserPrefers(_ bounds: SizeBounds) {
        let preferences = AttributionPreferences(
            minimumContentSizeCategory: bounds.minimum,
            maximumContentSizeCategory: bounds.maximum
        )
        device.request(as: .first, preferences)
        for category in ContentSizeCategory.allCases {
            prefer(category)
            let expected = bounds.limit(category)
            #expect(drawnSize == TextScale(expected).size, "\(category)")
            device.request(
                as: .second,
                AttributionPreferences(minimumContentSizeCategory: expected, maximumContentSizeCategory: expected)
            )
            let size = device.model.drawing(of: AttributionViewID.first)?.layout.size
            #expect(device.view()?.size.height == size?.height.inPoints, "\(category)")
            #expect(device.view()?.size.width == size?.width.inPoints, "\(category)")
            #expect(device.view()?.size == device.view(.second)?.size, "\(category)")
        }
    }

    @Test(.proves("B85")) mutating func heightToReserveFollowsTheUsersTextSize() throws {
        device.request()
        var last = try #require(device.view()?.size.height)
        for category in ContentSizeCategory.allCases.reversed() {
            let provided = device.apply(.setting(.contentSizeCategorySet(category))).provided
            // The first change is to the largest size, and each further one is to the next smaller size.
            let view = try #require(provided.first, "\(category)")
            #expect(view.size.height < last || category == ContentSizeCategory.allCases.last, "\(category)")
            #expect(view.size.height == device.model.drawing(of: AttributionViewID.first)?.layout.size.height.inPoints)
            #expect(view.findings.isEmpty)
            last = view.size.height
        }
    }

    @Test(.proves("B85")) mutating func heightThatLeavesNoRoomForTheTextIsAFinding() throws {
        device.request()
        let height = try #require(device.view()?.size.height)
        #expect(device.request(as: .first, AttributionPreferences(height: height)).provided.flatMap(\.findings).isEmpty)
        let provided = device.apply(.setting(.contentSizeCategorySet(.accessibilityExtraExtraExtraLarge))).provided
        #expect(provided.map { $0.findings.map(\.code) } == [[.heightTooSmall]])
    }
}

/// The bounds that an app sets for the text of a view.
struct SizeBounds: CustomTestStringConvertible {
    var minimum: ContentSizeCategory?
    var maximum: ContentSizeCategory?

    var testDescription: String { "\(minimum.map { "\($0)" } ?? "any") to \(maximum.map { "\($0)" } ?? "any")" }

    static let cases = [
        SizeBounds(minimum: .extraLarge), SizeBounds(maximum: .medium),
        SizeBounds(minimum: .small, maximum: .accessibilityMedium), SizeBounds(minimum: .large, maximum: .large),
        SizeBounds(),
    ]

    /// Returns the size nearest to `category` within the bounds.
    func limit(_ category: ContentSizeCategory) -> ContentSizeCategory {
        let sizes = ContentSizeCategory.allCases
        let index = { (size: ContentSizeCategory) in sizes.firstIndex(of: size) ?? 0 }
        let raised = max(index(category), minimum.map(index) ?? 0)
        return sizes[min(raised, maximum.map(index) ?? sizes.count - 1)]
    }
}
