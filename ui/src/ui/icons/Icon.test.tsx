import { readFileSync } from 'node:fs';
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Icon } from './Icon';

const drawn = (name: string | undefined, otherwise?: 'tag') =>
  render(<Icon name={name} fallback={otherwise} />)
    .container.querySelector('path')
    ?.getAttribute('d');

test('every kind of gadget has a drawing of its own', () => {
  const kinds = ['phone', 'tablet', 'laptop', 'watch', 'camera', 'console', 'headphones'];
  const drawings = kinds.map((kind) => drawn(kind, 'tag'));
  expect(new Set(drawings).size).toBe(kinds.length);
  expect(drawings).not.toContain(drawn('tag'));
});

test('every icon name of the products has a drawing', () => {
  for (const file of ['breakdown', 'gadget']) {
    const product = readFileSync(`../src/products/${file}.toml`, 'utf8');
    const names = [...product.matchAll(/\bicon = "(.+?)"/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) expect(drawn(name, 'tag'), name).not.toBe(drawn('tag'));
  }
});

test('every kind of vehicle has a drawing of its own', () => {
  const kinds = ['car', 'truck', 'motorbike', 'bicycle'];
  const drawings = kinds.map((kind) => drawn(kind, 'tag'));
  expect(new Set(drawings).size).toBe(kinds.length);
  expect(drawings).not.toContain(drawn('tag'));
});

test('an unknown name gets the fall-back drawing', () => {
  for (const name of ['gizmo', 'constructor', 'toString', '__proto__', undefined]) {
    expect(drawn(name)).toBe(drawn('shield'));
    expect(drawn(name, 'tag')).toBe(drawn('tag'));
  }
});
