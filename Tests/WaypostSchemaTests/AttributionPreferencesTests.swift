import Testing
import WaypostSchema
import WireTypes

/// An app's preferences for an attribution view: absent ones have the platform's default, invalid ones are refused.
@Suite(.serialized) struct AttributionPreferencesTests {
    private static let lengths = ["preferredMaxLayoutWidth", "width", "height"]
    private static let categories = ["minimumContentSizeCategory", "maximumContentSizeCategory"]

    @Test(arguments: [
        "{}",
        #"{"displayContext":null,"horizontalAlignment":null,"backgroundStyle":null,"supplementalMenu":null}"#,
        #"{"preferredMaxLayoutWidth":null,"width":null,"height":null,"menuTitleForHideAction":null}"#,
        #"{"minimumContentSizeCategory":null,"maximumContentSizeCategory":null}"#,
    ])
    func absentPreferenceHasThePlatformsDefault(_ text: String) throws {
        let preferences = try AttributionPreferences(json: text)
        #expect(preferences == AttributionPreferences())
        #expect(preferences.displayContext == .summary)
        #expect(preferences.horizontalAlignment == .default)
        #expect(preferences.backgroundStyle == .default)
        #expect(preferences.preferredMaxLayoutWidth == 0)
        #expect(preferences.width == nil)
        #expect(preferences.height == nil)
        #expect(preferences.minimumContentSizeCategory == nil)
        #expect(preferences.maximumContentSizeCategory == nil)
        #expect(preferences.menuTitleForHideAction == nil)
        #expect(preferences.supplementalMenu.isEmpty)
    }

    @Test(arguments: lengths, ["-1", "-0.01", "100000.01", "100001", "-9223372036854775808", "1e300"])
    func lengthOutOfBoundsIsRefusedByName(_ field: String, _ length: String) throws {
        let document = UnreadableDocument(AttributionPreferences.self, #"{"\#(field)":\#(length)}"#, "")
        #expect(try document.observedSentence() == "'\(field)': a length must be a number of points from 0 to 100000")
    }

    @Test(arguments: lengths, ["0", "0.01", "44", "320.5", "99999.99", "100000"])
    func lengthWithinBoundsIsRead(_ field: String, _ length: String) throws {
        let preferences = try AttributionPreferences(json: #"{"\#(field)":\#(length)}"#)
        let written = try JSONValue(json: preferences.json())
        #expect(try written[field]?.json() == length)
    }

    @Test(arguments: categories, [("Large", "large"), ("accessibilityLarge ", "accessibilityLarge")])
    func misspelledCategoryIsRefusedWithTheOneThatWasMeant(_ field: String, _ names: (String, String)) throws {
        let document = UnreadableDocument(AttributionPreferences.self, #"{"\#(field)":"\#(names.0)"}"#, "")
        let sentence = "'\(field)': '\(names.0)' is not known; did you mean '\(names.1)'?"
        #expect(try document.observedSentence() == sentence)
    }

    @Test(arguments: categories, ["", "huge"])
    func unknownCategoryIsRefusedWithTheKnownOnes(_ field: String, _ name: String) throws {
        let document = UnreadableDocument(AttributionPreferences.self, #"{"\#(field)":"\#(name)"}"#, "")
        let known = ContentSizeCategory.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(try document.observedSentence() == "'\(field)': '\(name)' is not one of \(known)")
    }

    @Test func unknownCategoryOfADeviceIsRefusedWithTheKnownOnes() throws {
        let text = #"{"name":"iPad","apps":[],"preferredContentSizeCategory":"huge"}"#
        let known = ContentSizeCategory.allCases.map(\.rawValue).joined(separator: ", ")
        let document = UnreadableDocument(DeviceDescription.self, text, "")
        #expect(try document.observedSentence() == "'preferredContentSizeCategory': 'huge' is not one of \(known)")
    }

    @Test func schemaAndCodeRefuseTheSameValues() async throws {
        let vector = try #require(try Vector.all(of: WireType(type: AttributionPreferences.self)).first)
        let values: [JSONValue] = [
            .integer(-1), .double(-0.01), .integer(0), .double(0.01), .integer(100_000), .double(100_000.01),
            .integer(100_001), .string("44"), .bool(true), .array([]), .object([:]), .null, .string("large"),
            .string("huge"), .string("default"), .string("center"), .string("color"), .string("detail"),
            .array([.string("reply")]), .array([.object(["id": .string("a")])]),
            .array([.object(["id": .string("a"), "title": .string("")])]),
        ]
        let fields = try Schema.current().properties(of: vector.type).sorted()
        try await SchemaValidator.expectThatCodeAgrees(
            on: try fields.flatMap { field in
                try values.map { try VectorVariant(vector, setting: field, to: $0) }
            }
        )
    }

    /// The order of the cases determines the smaller and the larger category.
    @Test func categoriesAreInOrderOfSize() {
        let names = [
            "extraSmall", "small", "medium", "large", "extraLarge", "extraExtraLarge", "extraExtraExtraLarge",
            "accessibilityMedium", "accessibilityLarge", "accessibilityExtraLarge", "accessibilityExtraExtraLarge",
            "accessibilityExtraExtraExtraLarge",
        ]
        #expect(ContentSizeCategory.allCases.map(\.rawValue) == names)
    }
}
