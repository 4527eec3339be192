internal import WaypostSchema

/// The rows that an attribution view may show, from everything to nothing; the first one that fits is used.
///
/// The steps are Waypost's own. The avatars and the pin stay as long as more than one avatar is shown. The last step is
/// one avatar without the pin.
struct TruncationSteps {
    let content: AttributionContent
    let metrics: LayoutMetrics

    /// The row of the first step, without a width limit.
    var naturalRow: ContentRow {
        let names = content.people.prefix(2).map(\.name)
        return row(.names, text: NameList.text(names: names, others: content.people.count - names.count, in: language))
    }

    /// Returns the first row that is at most `maximumWidth` wide; `nil` if there is none.
    func row(within maximumWidth: Points) -> ContentRow? {
        AttributionReport.Step.allCases.lazy
            .compactMap { row($0, within: maximumWidth) }
            .first { $0.width <= maximumWidth }
    }

    /// Returns the row of a step; `nil` if the step does not exist for this content and width.
    private func row(_ step: AttributionReport.Step, within maximumWidth: Points) -> ContentRow? {
        switch step {
        case .names: naturalRow
        case .oneNameAndOthers: hasOthers ? row(step, text: firstNameAndOthers) : nil
        case .oneNameAndNumber: hasOthers ? row(step, text: textWithNumber(after: firstName)) : nil
        case .shortenedName: shortenedName(within: maximumWidth).map { row(step, text: textWithNumber(after: $0)) }
        case .avatars: row(step, text: numberBesideAvatars)
        case .oneAvatar: ContentRow(step, avatarCount: 1, hasPin: false, text: nil, metrics)
        case .nothing: nil
        }
    }

    private func row(_ step: AttributionReport.Step, text: String?) -> ContentRow {
        ContentRow(step, avatarCount: shownAvatarCount, hasPin: content.isPinned, text: text, metrics)
    }

    /// Returns as much of the first name as fits next to the rest; `nil` if that is less than two clusters.
    private func shortenedName(within maximumWidth: Points) -> String? {
        let nameWidth = maximumWidth - row(.shortenedName, text: textWithNumber(after: "")).width
        return TextMeasure(size: metrics.scale.size).fitted(firstName, within: nameWidth, atLeast: 2)
    }
}

/// The texts of the steps.
extension TruncationSteps {
    private var language: AttributionLanguage { content.language }

    private var firstName: String { content.people.first?.name ?? "" }

    private var hasOthers: Bool { content.people.count > 1 }

    private var shownAvatarCount: Int { min(content.people.count, LayoutMetrics.maximumAvatars) }

    private var firstNameAndOthers: String {
        NameList.text(names: [firstName], others: content.people.count - 1, in: language)
    }

    private func textWithNumber(after name: String) -> String {
        NameList.text(name: name, number: content.people.count - 1)
    }

    private var numberBesideAvatars: String? {
        let hiddenCount = content.people.count - shownAvatarCount
        return hiddenCount == 0 ? nil : NameList.number(hiddenCount)
    }
}
