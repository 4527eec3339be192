/// The horizontal direction of a layout (`UIUserInterfaceLayoutDirection`), which decides the side of the leading edge.
public enum LayoutDirection: String, Sendable, CaseIterable, Codable {
    /// The leading edge is on the left.
    case leftToRight

    /// The leading edge is on the right, and everything is mirrored.
    case rightToLeft

    /// Creates the direction of a language: that of its script.
    ///
    /// A language without a script has the one that it usually has in its region (CLDR 47, likely subtags).
    ///
    /// - Parameter tag: a BCP 47 tag, such as `ar` or `az-Arab-IR`; underscores are accepted too.
    public init(languageTag tag: String) {
        // A subtag of one character begins an extension or private use, in which no script is.
        let parts = tag.lowercased().split { $0 == "-" || $0 == "_" }.prefix { $0.count > 1 }.map(String.init)
        let script = parts.dropFirst().first { $0.count == 4 && $0.allSatisfy(\.isLetter) }
        if let script {
            self = Self.scripts.contains(script) ? .rightToLeft : .leftToRight
            return
        }
        let language = parts.first ?? ""
        let isInRegion = parts.dropFirst().contains { Self.languagesOfRegions.contains("\(language)-\($0)") }
        self = Self.languages.contains(language) || isInRegion ? .rightToLeft : .leftToRight
    }

    /// The scripts from right to left.
    private static let scripts: Set<String> = [
        "adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa",
    ]

    /// The languages that are usually written from right to left.
    private static let languages: Set<String> = [
        "ar", "arc", "azb", "bal", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "ks", "lrc", "mzn", "nqo", "pnb", "prs",
        "ps", "rhg", "sd", "sdh", "skr", "syr", "ug", "ur", "yi",
    ]

    /// The languages that are written from right to left in a region only.
    private static let languagesOfRegions: Set<String> = [
        "az-iq", "az-ir", "kk-af", "kk-cn", "kk-ir", "ku-lb", "ky-cn", "ms-cc", "pa-pk", "tk-af", "uz-af",
    ]
}

/// The mirror of a picture, which places everything as the layout direction requires.
///
/// A layout is computed from left to right; from right to left, each frame is mirrored at the vertical center line.
struct LayoutMirror: Sendable {
    /// The layout direction.
    let direction: LayoutDirection

    /// The width of the picture.
    let width: Points

    /// Returns the place of a frame.
    func placed(_ frame: LayoutRectangle) -> LayoutRectangle {
        guard direction == .rightToLeft else { return frame }
        return LayoutRectangle(x: width - frame.maxX, y: frame.y, width: frame.width, height: frame.height)
    }

    /// Returns a line of text at its place; the order of its letters stays the same.
    func placed(_ text: PlacedText) -> PlacedText {
        PlacedText(text: text.text, frame: placed(text.frame), baseline: text.baseline, size: text.size)
    }

    /// Returns an avatar at its place.
    func placed(_ avatar: PlacedAvatar) -> PlacedAvatar {
        PlacedAvatar(frame: placed(avatar.frame), person: avatar.person)
    }
}
