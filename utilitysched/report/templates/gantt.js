"use strict";
// Jobs on their processors: a million rectangles are painted on a canvas, under a chart that has the
// scales, outages, ends of stretches, and the job that is pointed at.
const gantt = (() => {
  const CELLS = [1600, 700]; // most columns and rows of the canvas
  const GAP = 4; // jobs larger than so many pixels are drawn apart from their neighbours
  const MANY = 2000; // more ends of stretches, or outages, cannot be told apart
  const FAINTEST = 0.12; // what is not quite idle is seen

  // Area of each cell that jobs of each kind cover, kind after kind, row after row from above.
  function covered(run, kinds, count, [columns, lines], view, gap) {
    const size = columns * lines;
    const areas = new Float32Array(count * size);
    const { span, spans, owner, low, high } = run;
    const across = columns / (view.end - view.start);
    const up = lines / (view.top - view.bottom);
    for (let i = 0; i < span.length; i++) {
      const from = spans.from[span[i]];
      const until = spans.until[span[i]];
      if (until <= view.start || from >= view.end || high[i] <= view.bottom || low[i] >= view.top) continue;
      const wide = (until - from) * across > GAP * gap ? gap : 0;
      const tall = (high[i] - low[i]) * up > GAP * gap ? gap : 0;
      const x0 = Math.max((from - view.start) * across, 0);
      const x1 = Math.min((until - view.start) * across - wide, columns);
      const y0 = Math.max((view.top - high[i]) * up + tall, 0);
      const y1 = Math.min((view.top - low[i]) * up, lines);
      const layer = kinds[owner(span[i])] * size;
      for (let y = Math.floor(y0); y < y1; y++) {
        const height = Math.min(y + 1, y1) - Math.max(y, y0);
        const row = layer + y * columns;
        for (let x = Math.floor(x0); x < x1; x++) {
          areas[row + x] += height * (Math.min(x + 1, x1) - Math.max(x, x0));
        }
      }
    }
    return areas;
  }

  // Each cell has the colour of the kind that covers most of it, the fainter the more of it is idle.
  function pixels(areas, size, colours) {
    const image = new Uint32Array(size);
    for (let cell = 0; cell < size; cell++) {
      let sum = 0;
      let most = 0;
      for (let kind = 0; kind < colours.length; kind++) {
        const area = areas[kind * size + cell];
        sum += area;
        if (area > areas[most * size + cell]) most = kind;
      }
      if (sum > 0.002) {
        const alpha = Math.round(255 * Math.min(Math.max(sum, FAINTEST), 1));
        image[cell] = ((alpha << 24) | colours[most]) >>> 0;
      }
    }
    return image;
  }

  // Colours as blue << 16 | green << 8 | red.
  function shades(names, colours) {
    return names.map((name) => {
      const [red, green, blue] = colours(name).match(/[0-9a-f]{2}/gi);
      return parseInt(blue + green + red, 16);
    });
  }

  function paint(canvas, chart, run, kinds, shade, view) {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [chart.width(), chart.height()];
    const [left, top] = chart.origin();
    const padding = chart.padding();
    const columns = Math.min(Math.max(Math.round(width * ratio), 1), CELLS[0]);
    const lines = Math.min(Math.max(Math.round(height * ratio), 1), CELLS[1]);
    Object.assign(canvas, { width: columns, height: lines });
    const [x, y] = [left + padding.left, top + padding.top];
    canvas.style.cssText = `left:${x}px;top:${y}px;width:${width}px;height:${height}px`;
    const areas = covered(run, kinds, shade.length, [columns, lines], view, ratio);
    const image = pixels(areas, columns * lines, shade);
    const data = new ImageData(new Uint8ClampedArray(image.buffer), columns, lines);
    canvas.getContext("2d").putImageData(data, 0, 0);
  }

  // Ends of stretches in view after which a job was stopped and went on later, unless there are too
  // many to be told apart.
  function stops({ span, spans, low, high, end }, view) {
    const rows = [];
    for (let i = 0; spans.job && i < span.length; i++) {
      const at = spans.until[span[i]];
      if (at >= end[spans.job[span[i]]] || at < view.start || at > view.end) continue;
      rows.push({ from: at, until: at, low: low[i], high: high[i] });
    }
    return rows.length > MANY ? [] : rows;
  }

  // Outages in view; null if there are too many.
  function outages({ outages: { from = [], until, low, high } = {} }, view) {
    const rows = Array.from(from, (each, i) => ({ from: each, until: until[i], low: low[i], high: high[i] }))
      .filter((row) => row.until > view.start && row.from < view.end && row.high > view.bottom && row.low < view.top);
    return rows.length > MANY ? null : rows;
  }

  // Rectangles of a job.
  function outline({ span, spans, owner, low, high }, job) {
    const rows = [];
    for (let i = 0; job >= 0 && i < span.length; i++) {
      if (owner(span[i]) !== job) continue;
      rows.push({ from: spans.from[span[i]], until: spans.until[span[i]], low: low[i], high: high[i] });
    }
    return rows;
  }

  // Lines from each stretch of a job to its next one.
  function links(rectangles) {
    const rows = rectangles.toSorted((one, other) => one.from - other.from);
    const middle = ({ low, high }) => (low + high) / 2;
    return rows.slice(1).flatMap((next, i) => (next.from < rows[i].until ? [] // beside it, not after it
      : [{ from: rows[i].until, until: next.from, low: middle(rows[i]), high: middle(next) }]));
  }

  // Position of the rectangle at a second and processor; -1 if none is there.
  function under({ span, spans, low, high }, second, processor) {
    return span.findIndex((each, i) => low[i] <= processor && processor < high[i]
      && spans.from[each] <= second && second < spans.until[each]);
  }

  return { paint, shades, stops, outages, outline, links, under };
})();
