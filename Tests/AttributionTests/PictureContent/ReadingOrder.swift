/// The order in which people read what a picture shows, computed only from boxes.
///
/// Gaps across the whole picture divide it into rows, gaps within a row divide it into columns, these into rows, and so
/// on. A picture draws its avatars from right to left, so the order of its elements says nothing.
enum ReadingOrder {
    /// Returns the elements in their order.
    static func sorted<Element>(_ elements: [Element], box: (Element) -> DrawnPicture.Box) -> [Element] {
        let rows = groups(of: elements) { (box($0).top, box($0).bottom) }
        if rows.count > 1 { return rows.flatMap { sorted($0, box: box) } }
        let columns = groups(of: elements) { (box($0).left, box($0).right) }
        if columns.count > 1 { return columns.flatMap { sorted($0, box: box) } }
        return elements.sorted { box($0).left < box($1).left }
    }

    /// Returns the groups of elements between which there are gaps, in order.
    private static func groups<Element>(
        of elements: [Element],
        extent: (Element) -> (start: Double, end: Double)
    ) -> [[Element]] {
        var groups: [[Element]] = []
        var end = -Double.infinity
        for element in elements.sorted(by: { extent($0).start < extent($1).start }) {
            if extent(element).start >= end - DrawnPicture.Box.slack {
                groups.append([])
            }
            groups[groups.count - 1].append(element)
            end = max(end, extent(element).end)
        }
        return groups
    }
}
