import Foundation
import Testing
import WaypostTestSupport

@testable import Attribution

/// Contrast by WCAG 2.2, which requires 4.5 for text.
@Suite struct ContrastTests {
    private static let least = 4.5

    @Test(arguments: Appearance.Style.allCases, 0..<AvatarColor.count)
    func monogramIsLegibleOnBothTonesOfItsAvatar(_ style: Appearance.Style, _ index: Int) {
        let tones = AvatarTones(of: AvatarColor(index: index), in: style)
        for tone in [tones.upper, tones.lower] {
            #expect(RGB(Palette[style].monogram).contrast(to: RGB(tone)) >= Self.least)
        }
    }

    @Test(arguments: Appearance.Style.allCases) func colorsOfAvatarsAreDistinct(_ style: Appearance.Style) {
        let tones = (0..<AvatarColor.count).map { AvatarTones(of: AvatarColor(index: $0), in: style) }
        #expect(Set(tones).count == AvatarColor.count)
    }

    @Test(.proves("B92"), arguments: Appearance.Style.allCases)
    func textIsLegibleOnTheTintOverEachPlainBackground(_ style: Appearance.Style) {
        let palette = Palette[style]
        for ground in [palette.background, palette.card, palette.oneColor] {
            let pill = RGB(palette.fill, over: RGB(ground))
            #expect(RGB(palette.secondaryLabel).contrast(to: pill) >= Self.least)
        }
    }

    @Test(
        .proves("B93"),
        arguments: Appearance.Style.allCases,
        ["#000000", "#FFFFFF", "#FF0000", "#00FF00", "#0000FF"]
    )
    func textIsLegibleOnMaterialOverAnyColor(_ style: Appearance.Style, _ color: String) {
        let palette = Palette[style]
        #expect(RGB(palette.materialLabel).contrast(to: RGB(palette.material, over: RGB(color))) >= Self.least)
    }

    @Test(arguments: Appearance.Style.allCases) func textOfCardsIsLegible(_ style: Appearance.Style) {
        let palette = Palette[style]
        for color in [palette.label, palette.secondaryLabel, palette.action, palette.destructive] {
            #expect(RGB(color).contrast(to: RGB(palette.card)) >= Self.least)
        }
        #expect(RGB(palette.label).contrast(to: RGB(palette.background)) >= Self.least)
    }

    @Test func contrastMatchesTheStandard() {
        #expect(abs(RGB("#000000").contrast(to: RGB("#FFFFFF")) - 21) < 0.001)
        #expect(abs(RGB("#777777").contrast(to: RGB("#FFFFFF")) - 4.478) < 0.001)
    }
}

private struct RGB {
    let parts: [Double]

    init(_ color: String) {
        let number = Int(color.dropFirst(), radix: 16) ?? 0
        parts = [16, 8, 0].map { Double(number >> $0 & 0xFF) / 255 }
    }

    init(_ tint: Palette.Tint, over ground: RGB) {
        let opacity = Double(tint.opacity) ?? 0
        parts = zip(RGB(tint.color).parts, ground.parts).map { $0 * opacity + $1 * (1 - opacity) }
    }

    private var luminance: Double {
        let linear = parts.map { $0 <= 0.040_45 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return zip(linear, [0.212_6, 0.715_2, 0.072_2]).reduce(0) { $0 + $1.0 * $1.1 }
    }

    func contrast(to other: RGB) -> Double {
        let (dark, light) = (min(luminance, other.luminance), max(luminance, other.luminance))
        return (light + 0.05) / (dark + 0.05)
    }
}
