extension BrowserPage {
    /// Measures what the browser has drawn.
    ///
    /// `getBBox` and `getBoundingClientRect` give the width of a text and the height of its fonts: the em box, which is
    /// the same for `x` and for `Ż`; Chromium adds the parts of letters beyond it. This box must stay within the edges
    /// of the picture: it shows that letters may leave the picture, but not how high they are. The canvas gives that
    /// height (`actualBoundingBoxAscent`): letters must stay within the shape below them, and count at least as high as
    /// those of Helvetica, 0.72 of their size above the baseline and 0.22 below. Vertically they may exceed it by 0.03
    /// of their size: some fonts have two marks on a capital, and the view clips them there. If a machine has no font
    /// for a script, the boxes that it draws instead are measured.
    static let script = """
        const slack = 0.6, findings = [];
        const canvas = document.createElement('canvas').getContext('2d');
        const contains = (box, x, y) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
        const area = box => box.width * box.height;
        const distance = (box, at) => Math.abs(box.left + box.width / 2 - at.x);
        const sidesOf = (box, frame) => box.left < frame.left - slack || box.right > frame.right + slack;
        const endsOf = (box, frame, size = 0) => {
          const most = Math.max(slack, 0.03 * size);
          return box.top < frame.top - most || box.bottom > frame.bottom + most;
        };
        function inkOf(text, at) {
          // Some versions report only whole pixels, which is coarse for a small letter.
          const style = getComputedStyle(text), size = parseFloat(style.fontSize), scale = 64;
          canvas.font = `${style.fontWeight} ${size * scale}px ${style.fontFamily}`;
          const ink = canvas.measureText(text.textContent);
          const [ascent, descent] = [ink.actualBoundingBoxAscent / scale, ink.actualBoundingBoxDescent / scale];
          return {
            size, top: at.y - Math.max(ascent, 0.72 * size), bottom: at.y + Math.max(descent, 0.22 * size),
            highest: at.y - ascent, lowest: at.y + descent
          };
        }
        function isInCircle(circle, box, ink) {
          const [x, y, radius] = [circle.left + circle.width / 2, circle.top + circle.height / 2, circle.width / 2];
          const reach = Math.max(...[box.left, box.right].map(edge => Math.hypot(edge - x, 0.36 * ink.size)));
          return Math.max(reach, y - ink.highest, ink.lowest - y) <= radius + slack;
        }
        function measure(holder) {
          const name = holder.dataset.name, isCut = holder.dataset.cut === 'true', svg = holder.querySelector('svg');
          const report = (problem, part) => findings.push({ name, problem, part: part.slice(0, 900) });
          if (!svg || !svg.querySelector('title')) return report('notDrawn', '');
          const frame = svg.getBoundingClientRect();
          const drawn = selector => [...svg.querySelectorAll(selector)].filter(part => !part.closest('defs'));
          for (const shape of isCut ? [] : drawn('rect, circle, path, image')) {
            const box = shape.getBoundingClientRect();
            if (sidesOf(box, frame) || endsOf(box, frame)) report('outsidePicture', shape.outerHTML);
          }
          for (const text of drawn('text')) {
            const at = new DOMPoint(parseFloat(text.getAttribute('x')), parseFloat(text.getAttribute('y')))
              .matrixTransform(text.getScreenCTM());
            const box = text.getBoundingClientRect(), ink = inkOf(text, at), middle = at.y - 0.36 * ink.size;
            if (!isCut && endsOf(box, frame, ink.size)) {
              report('outsideHeight', text.textContent + ' ' + JSON.stringify([frame, box]));
            }
            const grounds = selector => drawn(selector).map(shape => shape.getBoundingClientRect())
              .filter(shape => contains(shape, at.x + 1, middle)).sort((a, b) => area(a) - area(b));
            if (text.getAttribute('text-anchor') === 'middle') {
              const circle = grounds('circle').sort((a, b) => area(a) - area(b) || distance(a, at) - distance(b, at))[0];
              const rect = grounds('rect')[0] || frame;
              const isInside = circle ? isInCircle(circle, box, ink)
                : !sidesOf(box, rect) && !endsOf({ top: ink.highest, bottom: ink.lowest }, rect);
              if (!isInside) {
                report('outsideCircle', text.textContent + ' ' + JSON.stringify([circle || rect, box, ink]));
              }
              continue;
            }
            const ground = grounds('rect')[0] || frame;
            if (sidesOf(box, ground) || (!isCut && endsOf(ink, ground, ink.size))) {
              report('outsideBox', text.textContent + ' ' + JSON.stringify([ground, box, ink]));
            }
            if (holder.dataset.any === 'true') continue;
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
          finish(findings);
        });
        """
}
