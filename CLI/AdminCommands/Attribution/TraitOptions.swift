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

    /// Returns the traits of a device with what was asked for in their place.
    func applied(to traits: AttributionTraits) -> AttributionTraits {
        var applied = locale.map { AttributionTraits(language: $0) } ?? traits
        applied.preferredContentSizeCategory = contentSizeCategory?.category ?? traits.preferredContentSizeCategory
        return applied
    }
}
