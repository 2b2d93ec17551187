import { expect, test } from 'vitest';
import { formatPostcode, formatRegistration } from './uk';

test('a registration is written as on its plate, whichever style it has', () => {
  const styles = [
    'AB51 XYZ',
    'L2 WPS',
    'Y999 ZZZ',
    'ABC 123Y',
    '1 A',
    'AB 1234',
    '123 ABC',
    'IJI 9999',
    '1234 ABZ',
    '101 D 234',
  ];
  for (const plate of styles) {
    expect(formatRegistration(plate)).toBe(plate);
    expect(formatRegistration(plate.replaceAll(' ', '').toLowerCase())).toBe(plate);
    expect(formatRegistration(`${plate.replaceAll(' ', '-')} `)).toBe(plate);
  }
  for (const other of ['', 'ab', 'ABCD 1234', '12345678']) {
    expect(formatRegistration(other)).toBe(other);
  }
});

test('a postcode is written with its one space', () => {
  for (const code of ['SW1A 1AA', 'M1 1AE', 'B33 8TH', 'DN55 1PT', 'W1A 0AX', 'GIR 0AA']) {
    expect(formatPostcode(code)).toBe(code);
    expect(formatPostcode(` ${code.replace(' ', '').toLowerCase()}`)).toBe(code);
  }
  for (const other of ['', 'sw1', 'somewhere', '12345']) {
    expect(formatPostcode(other)).toBe(other);
  }
});
