extension ExpectedPicture {
    /// A text that the picture must show, with the lines that show it.
    private typealias Match = (expected: Text, lines: [DrawnPicture.Text])

    /// Returns all differences between a picture and what it must show.
    func problems(in picture: DrawnPicture) -> [ContentProblem] {
        let (matches, differences) = matches(in: picture)
        // After a difference the remaining texts have no expectations, so nothing is known about their shapes.
        let shapeProblems = differences.isEmpty ? shapeProblems(of: matches, in: picture) : []
        return differences + titleProblems(in: picture) + matches.flatMap(Self.problems) + shapeProblems
            + picture.texts.flatMap { problems(of: $0, in: picture) } + Self.overlaps(in: picture)
    }

    /// Assigns the lines of the picture to the expected texts, up to the first difference.
    private func matches(in picture: DrawnPicture) -> ([Match], [ContentProblem]) {
        var rest = picture.textsInReadingOrder[...]
        var matches: [Match] = []
        for expected in texts {
            guard let count = (1...max(1, rest.count)).first(where: { expected.isShown(by: rest.prefix($0)) }) else {
                let detail = "expected \(expected.text), found \(rest.map(\.text.withoutIsolates))"
                return (matches, [ContentProblem(kind: .text, detail: detail)])
            }
            matches.append((expected, Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        return (matches, rest.map { ContentProblem(kind: .text, detail: "did not expect \($0.text)") })
    }

    private func titleProblems(in picture: DrawnPicture) -> [ContentProblem] {
        var rest = picture.title.withoutIsolates[...]
        for part in title ?? [] {
            guard let range = rest.firstRange(of: part) else {
                return [ContentProblem(kind: .title, detail: "no \(part) in \(rest)")]
            }
            rest = rest[range.upperBound...]
        }
        return []
    }

    private static func problems(of match: Match) -> [ContentProblem] {
        let (expected, lines) = match
        var problems: [ContentProblem] = []
        for line in lines where expected.size.map({ $0 != line.size }) ?? false {
            problems.append(ContentProblem(kind: .size, detail: "\(line.text) has \(line.size) points"))
        }
        let extents = (expected.parts ?? []).map { part in lines.lazy.compactMap { $0.extent(of: part) }.first }
        let areInOrder = zip(extents, extents.dropFirst()).allSatisfy { left, right in
            guard let left, let right else { return false }
            return left.upperBound < right.lowerBound
        }
        if !areInOrder {
            problems.append(ContentProblem(kind: .parts, detail: "\(expected.text): \(extents)"))
        }
        return problems
    }

    private func shapeProblems(of matches: [Match], in picture: DrawnPicture) -> [ContentProblem] {
        Set(matches.flatMap { $0.expected.in ?? [] }).sorted().compactMap { name in
            let inside = matches.filter { $0.expected.in?.contains(name) ?? false }.flatMap(\.lines)
            let hasShape = picture.shapes.contains { shape in
                inside.allSatisfy { shape.box.contains($0.box) }
                    && picture.texts.count { shape.box.contains($0.box) } == inside.count
            }
            return hasShape ? nil : ContentProblem(kind: .shape, detail: "\(name): \(inside.map(\.text))")
        }
    }

    private func problems(of text: DrawnPicture.Text, in picture: DrawnPicture) -> [ContentProblem] {
        func problem(_ kind: ContentProblem.Kind) -> ContentProblem {
            ContentProblem(kind: kind, detail: "\(text.text): \(text.box)")
        }
        var problems = text.isVisible ? [] : [problem(.hidden)]
        guard picture.box.contains(text.box), let ground = picture.ground(of: text) else {
            return problems + [problem(.outside)]
        }
        let rectangles = picture.shapes.filter(\.isRectangle).map(\.box)
        if rectangles.contains(where: { $0.overlaps(text.box) && !$0.contains(text.box) }) {
            problems.append(problem(.outside))
        }
        let room = text.isCentered ? ground.box.width : ground.box.right - text.box.left
        if text.freeWidth > room + DrawnPicture.Box.slack { problems.append(problem(.room)) }
        let contrast = text.lightness.flatMap { lightness in ground.lightness.map { lightness - $0 } }
        if let contrast, isDark ?? false ? contrast <= 0 : contrast >= 0 {
            problems.append(problem(.appearance))
        }
        return problems
    }

    private static func overlaps(in picture: DrawnPicture) -> [ContentProblem] {
        picture.texts.enumerated().flatMap { index, text in
            picture.texts[..<index].filter { $0.box.overlaps(text.box) }
                .map { ContentProblem(kind: .overlap, detail: "\($0.text) and \(text.text)") }
        }
    }
}

extension ExpectedPicture.Text {
    /// Returns whether lines of a picture show this text and nothing else.
    fileprivate func isShown(by lines: some Collection<DrawnPicture.Text>) -> Bool {
        let shown = lines.map(\.text.withoutIsolates).joined(separator: " ")
        guard isTruncated ?? false else { return shown == text }
        let pieces = shown.split(separator: "…", omittingEmptySubsequences: false)
        guard pieces.count == 2, pieces[1] == ending ?? "" else { return false }
        return (2..<text.count).contains(pieces[0].count) && text.hasPrefix(pieces[0])
    }
}

extension DrawnPicture.Text {
    /// Returns the middles of the leftmost and the rightmost character of a part; `nil` if the text lacks it.
    fileprivate func extent(of part: String) -> ClosedRange<Double>? {
        guard let range = text.firstRange(of: part) else { return nil }
        let start = text.utf16.distance(from: text.startIndex, to: range.lowerBound)
        let middles = middles.dropFirst(start).prefix(part.utf16.count)
        guard let left = middles.min(), let right = middles.max() else { return nil }
        return left...right
    }
}

extension String {
    /// The text without the invisible marks that isolate names.
    fileprivate var withoutIsolates: String {
        filter { !"\u{2068}\u{2069}".contains($0) }
    }
}
