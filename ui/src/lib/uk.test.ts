import { expect, test } from 'vitest';
import { writtenPlate, writtenPostcode } from './uk';

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
    expect(writtenPlate(plate)).toBe(plate);
    expect(writtenPlate(plate.replaceAll(' ', '').toLowerCase())).toBe(plate);
    expect(writtenPlate(`${plate.replaceAll(' ', '-')} `)).toBe(plate);
  }
  for (const other of ['', 'ab', 'ABCD 1234', '12345678']) {
    expect(writtenPlate(other)).toBe(other);
  }
});

test('a postcode is written with its one space', () => {
  for (const code of ['SW1A 1AA', 'M1 1AE', 'B33 8TH', 'DN55 1PT', 'W1A 0AX', 'GIR 0AA']) {
    expect(writtenPostcode(code)).toBe(code);
    expect(writtenPostcode(` ${code.replace(' ', '').toLowerCase()}`)).toBe(code);
  }
  for (const other of ['', 'sw1', 'somewhere', '12345']) {
    expect(writtenPostcode(other)).toBe(other);
  }
});
