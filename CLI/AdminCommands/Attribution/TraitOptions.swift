internal import ArgumentParser
internal import Attribution
internal import DeviceModel
internal import WaypostSchema

/// How the person has set the device, as far as pictures are concerned.
struct TraitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The language of the words: en, zh-Hans, ja or ko (default: the device's).",
            valueName: "tag"
        )
    )
    var locale: String?

    @Option(
        help: ArgumentHelp("The size of text that the person prefers (default: the device's).", valueName: "category"),
        transform: ContentSizeCategoryArgument.init
    )
    var contentSizeCategory: ContentSizeCategoryArgument?

    @Option(help: ArgumentHelp("How the device looks.", valueName: "style"))
    var style = NameArgument(Appearance.Style.light)

    @Option(help: ArgumentHelp("What is behind the view.", valueName: "backdrop"))
    var backdrop = NameArgument(Appearance.Backdrop.none)

    var appearance: Appearance {
        Appearance(style: style.value, backdrop: backdrop.value)
    }

    /// Returns the traits of a device with what was asked for in their place.
    func applied(to traits: AttributionTraits) -> AttributionTraits {
        AttributionTraits(
            language: locale.map { AttributionLanguage(tag: $0) } ?? traits.language,
            preferredContentSizeCategory: contentSizeCategory?.category ?? traits.preferredContentSizeCategory
        )
    }
}
