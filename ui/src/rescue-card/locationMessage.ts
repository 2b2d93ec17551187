// The place of a breakdown, as a text message.

export interface Position {
  latitude: number;
  longitude: number;
  /** The radius of the possible error, in metres. */
  accuracy: number;
}

/** Writes a position for reading aloud. Five decimals are exact to about a metre. */
export const formatLocation = ({ latitude, longitude }: Position) =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

interface MessageSubject {
  reference: string;
  registrations: readonly string[];
}

export function messageOf(place: Position, { reference, registrations }: MessageSubject): string {
  const who = [`Policy ${reference}`, registrations.join(', ')].filter(Boolean).join('. ');
  const where = formatLocation(place);
  const map = `https://maps.google.com/?q=${where.replace(' ', '')}`;
  return `I have broken down. ${who}. I am at ${where} (within ${Math.ceil(place.accuracy)} m). ${map}`;
}

/** Returns a link that opens the message, to a number or without a recipient. */
export function messageLink(number: string | null, text: string): string {
  const to = number?.replace(/[^+\d]/g, '') ?? '';
  // Android and iOS both understand "?&".
  return `sms:${to}?&body=${encodeURIComponent(text)}`;
}

const DENIED =
  'This phone does not tell us where it is. Allow it in the settings of your browser, or tell us the road and the nearest junction or marker post.';
const UNKNOWN =
  'Your phone can not find out where it is. Tell us the road and the nearest junction or marker post.';

/**
 * Reads the position of the device. If the browser gives no position, throws an error that names
 * the next step.
 */
export function findPlace(): Promise<Position> {
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) return reject(new Error(UNKNOWN));
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy } }) => resolve({ latitude, longitude, accuracy }),
      ({ code }) => reject(new Error(code === 1 ? DENIED : UNKNOWN)),
      { enableHighAccuracy: true, timeout: 20_000, maximumAge: 30_000 },
    );
  });
}
