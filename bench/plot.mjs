// A scatter plot with logarithmic axes, as SVG text.
const WIDTH = 640;
const HEIGHT = 360;
const EDGE = { left: 64, right: 16, top: 32, bottom: 44 };

/** Powers of ten around the values, and the values within them as a share of the axis. */
function axis(values) {
  const low = Math.floor(Math.log10(Math.max(1, Math.min(...values))));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, ...values))));
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  return { ticks, share: (value) => (Math.log10(Math.max(1, value)) - low) / (high - low) };
}

const escaped = (text) => text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]);

/**
 * @param {{ title: string, x: string, y: string, points: readonly { x: number, y: number }[] }} plot values below 1
 *   are drawn at 1
 */
export function scatter({ title, x, y, points }) {
  const across = axis(points.map((point) => point.x));
  const up = axis(points.map((point) => point.y));
  const left = (value) => (EDGE.left + across.share(value) * (WIDTH - EDGE.left - EDGE.right)).toFixed(1);
  const top = (value) => (HEIGHT - EDGE.bottom - up.share(value) * (HEIGHT - EDGE.top - EDGE.bottom)).toFixed(1);
  const text = (at, content, more = '') => `<text ${at} ${more}>${escaped(content)}</text>`;
  const floor = HEIGHT - EDGE.bottom;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(`${title}: ${y} by ${x}`)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    text(`x="${EDGE.left}" y="20"`, title, 'font-size="14"'),
    ...across.ticks.flatMap((tick) => [
      `<path d="M${left(tick)} ${EDGE.top}V${floor}" stroke="#ddd"/>`,
      text(`x="${left(tick)}" y="${floor + 16}"`, String(tick), 'text-anchor="middle"'),
    ]),
    ...up.ticks.flatMap((tick) => [
      `<path d="M${EDGE.left} ${top(tick)}H${WIDTH - EDGE.right}" stroke="#ddd"/>`,
      text(`x="${EDGE.left - 6}" y="${Number(top(tick)) + 4}"`, String(tick), 'text-anchor="end"'),
    ]),
    ...points.map(
      (point) => `<circle cx="${left(point.x)}" cy="${top(point.y)}" r="3" fill="#2b6cb0" fill-opacity="0.5"/>`,
    ),
    text(`x="${WIDTH / 2}" y="${HEIGHT - 8}"`, x, 'text-anchor="middle"'),
    text(`transform="translate(16 ${HEIGHT / 2}) rotate(-90)"`, y, 'text-anchor="middle"'),
    '</svg>',
  ].join('\n')}\n`;
}
