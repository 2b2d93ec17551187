// The card is a small page without React, made of plain elements.

type Child = Node | string | null | false;

/** Creates an element with attributes and children. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes))
    element.setAttribute(attribute, value);
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

function drawn(
  size: number,
  box: string,
  shapes: [string, Record<string, string>][],
): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const own = { width: size, height: size, viewBox: box, 'aria-hidden': 'true', fill: 'none' };
  for (const [name, value] of Object.entries(own)) svg.setAttribute(name, String(value));
  for (const [name, attributes] of shapes) {
    const shape = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
    svg.append(shape);
  }
  return svg;
}

const line = { stroke: 'currentColor', 'stroke-width': '2', 'stroke-linecap': 'round' };

/** Draws the brand's mark: a lamp. */
export const mark = () =>
  drawn(32, '0 0 32 32', [
    ['path', { d: 'M9 8v12.5a3.5 3.5 0 0 0 3.5 3.5H23', ...line, 'stroke-width': '4' }],
    ['circle', { cx: '21.5', cy: '11', r: '4.5', class: 'lamp' }],
  ]);

export const phoneIcon = () =>
  drawn(28, '0 0 24 24', [
    [
      'path',
      {
        d: 'M5 4h4l1.5 5-2.5 1.5a12 12 0 0 0 5.5 5.5L15 13.5l5 1.5v4a1.5 1.5 0 0 1-1.5 1.5A15.5 15.5 0 0 1 3.5 5.5 1.5 1.5 0 0 1 5 4Z',
        ...line,
        'stroke-linejoin': 'round',
      },
    ],
  ]);

export const pinIcon = () =>
  drawn(24, '0 0 24 24', [
    [
      'path',
      {
        d: 'M12 21c4.3-4.3 6.5-7.8 6.5-10.8a6.5 6.5 0 1 0-13 0C5.5 13.2 7.7 16.7 12 21zM12 12.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6z',
        ...line,
      },
    ],
  ]);

export const pageIcon = () =>
  drawn(22, '0 0 24 24', [
    ['path', { d: 'M7 3.5h7l4 4v13H7zM13.5 3.5V8H18M10 12.5h5M10 16h5', ...line }],
  ]);
