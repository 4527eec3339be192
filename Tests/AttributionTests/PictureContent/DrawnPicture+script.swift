extension DrawnPicture {
    /// Reads the title, the texts and the shapes of every picture, with their boxes.
    ///
    /// The box of a text is as wide as its advances. Vertically it is that of its letters, which the canvas measures:
    /// the boxes of the font overlap from line to line. A text is visible if the topmost element at its beginning, in
    /// its middle and at its end is the text itself, so a text that is covered or clipped there is not. `freeWidth` is
    /// the width in the font of the machine, without the width that the picture gives the text.
    static let script = """
        const canvas = document.createElement('canvas').getContext('2d');
        function lightnessOf(color) {
          const parts = color.match(/^rgb\\((\\d+), (\\d+), (\\d+)\\)$/);
          return parts && 0.2126 * parts[1] + 0.7152 * parts[2] + 0.0722 * parts[3];
        }
        function freeWidthOf(text) {
          const free = text.cloneNode(true);
          free.removeAttribute('textLength');
          text.parentNode.append(free);
          const width = free.getComputedTextLength();
          free.remove();
          return width;
        }
        function middlesOf(letters, frame) {
          const range = document.createRange();
          return [...Array(letters.length).keys()].map(index => {
            range.setStart(letters, index);
            range.setEnd(letters, index + 1);
            const box = range.getBoundingClientRect();
            return (box.left + box.right) / 2 - frame.left;
          });
        }
        function read(holder) {
          const svg = holder.querySelector('svg');
          const drawn = selector => [...svg.querySelectorAll(selector)].filter(part => !part.closest('defs'));
          const place = (box, frame) => ({
            left: box.left - frame.left, right: box.right - frame.left,
            top: box.top - frame.top, bottom: box.bottom - frame.top
          });
          function readShape(shape) {
            const color = getComputedStyle(shape).fill;
            const box = place(shape.getBoundingClientRect(), svg.getBoundingClientRect());
            return { isRectangle: shape.tagName === 'rect', box, lightness: lightnessOf(color) };
          }
          function readText(text) {
            // The page tells only about points in its window.
            text.scrollIntoView({ block: 'center', inline: 'center' });
            const style = getComputedStyle(text), size = parseFloat(style.fontSize), scale = 64;
            const [x, y] = ['x', 'y'].map(name => parseFloat(text.getAttribute(name)));
            const baseline = new DOMPoint(x, y).matrixTransform(text.getScreenCTM()).y;
            // Some versions report only whole pixels, which is coarse for a small letter.
            canvas.font = `${style.fontWeight} ${size * scale}px ${style.fontFamily}`;
            const ink = canvas.measureText(text.textContent);
            const top = baseline - ink.actualBoundingBoxAscent / scale;
            const bottom = baseline + ink.actualBoundingBoxDescent / scale;
            const frame = svg.getBoundingClientRect(), { left, right } = text.getBoundingClientRect();
            const topmost = part => document.elementFromPoint(left + (right - left) * part, (top + bottom) / 2);
            return {
              text: text.textContent, size, lightness: lightnessOf(style.fill),
              isCentered: style.textAnchor === 'middle', box: place({ left, right, top, bottom }, frame),
              freeWidth: freeWidthOf(text), middles: middlesOf(text.firstChild, frame),
              isVisible: [0.1, 0.5, 0.9].every(part => topmost(part) === text)
            };
          }
          const frame = svg.getBoundingClientRect(), title = svg.querySelector('title').textContent;
          return {
            name: holder.dataset.name, title, box: place(frame, frame),
            shapes: drawn('rect, circle').map(readShape), texts: drawn('text').map(readText)
          };
        }
        document.fonts.ready.then(() => finish([...document.querySelectorAll('div[data-name]')].map(read)));
        """
}
