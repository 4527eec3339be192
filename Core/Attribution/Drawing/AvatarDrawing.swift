/// A renderer for avatars: circles with a photograph, the letters of a monogram or the outline of a person.
///
/// Everything but photographs is geometry and therefore sharp at any size. If avatars overlap, the first is in front,
/// and each other one is cut out around the one before it, so the gap between them shows the backdrop.
struct AvatarDrawing: Sendable {
    /// The avatars; the first is in front.
    let avatars: [PlacedAvatar]

    /// The light or dark style.
    let style: Appearance.Style

    /// Returns the elements of the avatars, the last avatar first because it is behind the others.
    func elements(_ definitions: inout SVGDefinitions) -> [SVGElement] {
        var elements: [SVGElement] = []
        for (index, avatar) in avatars.enumerated() {
            let front = index > 0 ? avatars[index - 1].frame : nil
            let parts = [disc(avatar, &definitions), portrait(avatar, behind: front, &definitions)]
            if let front {
                let clip = definitions.addClip(Self.cut(of: avatar.frame, around: front))
                elements.append(SVGElement(.g, [.clipPath: clip], children: parts))
            } else {
                elements.append(SVGElement(.g, [:], children: parts))
            }
        }
        return elements.reversed()
    }

    private func disc(_ avatar: PlacedAvatar, _ definitions: inout SVGDefinitions) -> SVGElement {
        let gradient = definitions.addGradient(of: AvatarTones(of: avatar.person.color, in: style))
        let frame = avatar.frame
        return SVGElement(.circle, [.cx: frame.midX, .cy: frame.midY, .r: frame.width.half, .fill: gradient])
    }

    private func portrait(
        _ avatar: PlacedAvatar,
        behind front: LayoutRectangle?,
        _ definitions: inout SVGDefinitions
    ) -> SVGElement {
        // The device refuses unusable photographs, so a picture has none, even if the content is not from a device.
        if let base64 = avatar.person.photo, let photo = definitions.addPhoto(base64: base64) {
            let frame = avatar.frame
            return SVGElement(
                .use,
                [.x: frame.x, .y: frame.y, .width: frame.width, .height: frame.height, .href: photo]
            )
        }
        let color = Palette[style].monogram
        switch avatar.person.monogram {
        case .silhouette: return SVGElement(.path, [.fill: color, .d: Self.silhouette(in: avatar.frame)])
        case .letters(let letters):
            let coveredSide = front.map { $0.x < avatar.frame.x ? CoveredSide.left : .right }
            return SVGElement(letters: letters, in: avatar.frame, fill: color, coveredSide: coveredSide)
        }
    }

    /// Returns the outline of a head and shoulders.
    ///
    /// The numbers are coordinates in the grid of `SVGPath`, 20 by 20; the shoulders end on the circle.
    private static func silhouette(in frame: LayoutRectangle) -> String {
        var path = SVGPath(in: frame)
        path.move(to: 14, 7)
        path.addArc(to: 6, 7, radii: (4, 4))
        path.addArc(to: 14, 7, radii: (4, 4))
        path.close()
        path.move(to: 4, 18)
        path.addArc(to: 16, 18, radii: (10, 10))
        path.addArc(to: 4, 18, radii: (6, 5))
        path.close()
        return path.data
    }

    /// Returns the square of an avatar without the circle of the avatar in front of it, and without a gap around that
    /// circle.
    ///
    /// The gap is a sixteenth of the avatar's width.
    private static func cut(of frame: LayoutRectangle, around front: LayoutRectangle) -> SVGElement {
        let radius = front.width.half + Points(rawValue: front.width.rawValue / 16)
        let (left, right) = (front.midX - radius, front.midX + radius)
        let square = "M\(frame.x) \(frame.y)H\(frame.maxX)V\(frame.maxY)H\(frame.x)Z"
        let arc = "A\(radius) \(radius) 0 0 0"
        let circle = "M\(left) \(front.midY)\(arc) \(right) \(front.midY)\(arc) \(left) \(front.midY)Z"
        return SVGElement(.path, [.clipRule: "evenodd", .d: "\(square)\(circle)"])
    }
}
