import Foundation
import WaypostTestSupport

/// A page with pictures that measures them itself, as a browser has drawn them.
struct BrowserPage {
    let pictures: [Picture]

    /// What reaches beyond what it stands on.
    struct Finding: Decodable, Equatable {
        /// The picture.
        let name: String

        /// What is wrong.
        let problem: Problem

        /// The text or the shape.
        let part: String

        enum Problem: String, Decodable {
            /// A shape reaches beyond the picture.
            case outsidePicture

            /// Text reaches beyond the rectangle that it begins on.
            case outsideBox

            /// A monogram reaches beyond the circle that it stands on.
            case outsideCircle

            /// Text would be more than a seventh wider without its given width, or more than a quarter narrower.
            case squeezed

            /// A picture is no picture.
            case notDrawn
        }
    }

    /// Lets Chromium draw the page and returns what the page found.
    func findings() throws -> [Finding] {
        let folder = try ScratchFolder()
        let page = try folder.write(Data(html.utf8), to: "gallery.html")
        let document = try ExternalCommand.run([
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--user-data-dir=\(folder.path(of: "profile"))", "--virtual-time-budget=60000", "--dump-dom",
            "file://\(page)",
        ])
        let text = String(decoding: document, as: UTF8.self)
        guard let match = text.firstMatch(of: /FINDINGS\[([A-Za-z0-9+\/=]*)\]/),
            let json = Data(base64Encoded: String(match.1))
        else {
            throw NoFindings(page: String(text.suffix(500)))
        }
        return try JSONDecoder().decode([Finding].self, from: json)
    }

    struct NoFindings: Error {
        let page: String
    }

    /// Definitions are known by number in each picture; in a page with several they need names of their own.
    private var html: String {
        let cases = pictures.map { picture in
            let svg = picture.svg.replacing("part-", with: "\(picture.name)-part-")
            return "<div data-name=\"\(picture.name)\" data-cut=\"\(picture.isCut)\">\(svg)</div>"
        }
        return """
            <!DOCTYPE html><html><head><meta charset="utf-8"></head><body style="width: 20000px">
            \(cases.joined(separator: "\n"))
            <pre id="result"></pre><script>\(Self.script)</script></body></html>
            """
    }
}

extension BrowserPage {
    /// Text of a browser has a box as high as its font; what counts is how high its letters reach: 0.72 of their size above
    /// the baseline, and 0.22 below.
    private static let script = """
        const slack = 0.6, findings = [];
        const contains = (box, x, y) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
        const area = box => box.width * box.height;
        const distance = (box, at) => Math.abs(box.left + box.width / 2 - at.x);
        function measure(holder) {
          const name = holder.dataset.name, isCut = holder.dataset.cut === 'true', svg = holder.querySelector('svg');
          const report = (problem, part) => findings.push({ name, problem, part });
          if (!svg || !svg.querySelector('title')) return report('notDrawn', '');
          const frame = svg.getBoundingClientRect();
          const drawn = selector => [...svg.querySelectorAll(selector)].filter(part => !part.closest('defs'));
          for (const shape of isCut ? [] : drawn('rect, circle, path, image')) {
            const box = shape.getBoundingClientRect();
            const isInside = box.left >= frame.left - slack && box.right <= frame.right + slack
              && box.top >= frame.top - slack && box.bottom <= frame.bottom + slack;
            if (!isInside) report('outsidePicture', shape.outerHTML);
          }
          for (const text of drawn('text')) {
            const size = parseFloat(text.getAttribute('font-size'));
            const at = new DOMPoint(parseFloat(text.getAttribute('x')), parseFloat(text.getAttribute('y')))
              .matrixTransform(text.getScreenCTM());
            const box = text.getBoundingClientRect(), middle = at.y - 0.36 * size;
            if (text.getAttribute('text-anchor') === 'middle') {
              const circles = drawn('circle').map(circle => circle.getBoundingClientRect())
                .filter(circle => contains(circle, at.x, middle))
                .sort((a, b) => area(a) - area(b) || distance(a, at) - distance(b, at));
              for (const circle of circles.slice(0, 1)) {
                const [x, y, radius] = [circle.left + circle.width / 2, circle.top + circle.height / 2, circle.width / 2];
                const reach = Math.max(...[box.left, box.right].map(edge => Math.hypot(edge - x, 0.36 * size)));
                if (reach > radius + slack) report('outsideCircle', text.textContent);
              }
              continue;
            }
            const ground = drawn('rect').map(rect => rect.getBoundingClientRect())
              .filter(rect => contains(rect, at.x + 1, middle)).sort((a, b) => area(a) - area(b))[0] || frame;
            const isWide = box.left < ground.left - slack || box.right > ground.right + slack;
            const isHigh = at.y - 0.72 * size < ground.top - slack || at.y + 0.22 * size > ground.bottom + slack;
            if (isWide || (isHigh && !isCut)) report('outsideBox', text.textContent);
            const free = text.cloneNode(true);
            free.removeAttribute('textLength');
            text.parentNode.append(free);
            const ratio = free.getComputedTextLength() / parseFloat(text.getAttribute('textLength'));
            free.remove();
            if (ratio > 1.15 || ratio < 0.75) report('squeezed', text.textContent + ' ' + ratio);
          }
        }
        document.fonts.ready.then(() => {
          document.querySelectorAll('div[data-name]').forEach(measure);
          const bytes = new TextEncoder().encode(JSON.stringify(findings));
          const text = Array.from(bytes, byte => String.fromCharCode(byte)).join('');
          document.getElementById('result').textContent = 'FINDINGS[' + btoa(text) + ']';
        });
        """
}
