import { formatLongDate, formatTime } from '../dates/dates';

// The place of a breakdown, as a text message.

export interface Position {
  latitude: number;
  longitude: number;
  /** The radius of the possible error, in metres. */
  accuracy: number;
}

/** Formats a position for a person to read aloud. Five decimals are exact to about a metre. */
export const formatLocation = ({ latitude, longitude }: Position) =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

/** The accuracy from which a position alone does not help, in metres. */
const ROUGH = 1000;

function formatAccuracy(accuracy: number, metres = ' metres', kilometres = ' kilometres'): string {
  if (accuracy < ROUGH) return `${Math.ceil(accuracy)}${metres}`;
  return `${Math.ceil(accuracy / 1000)}${kilometres}`;
}

const ROAD = 'the road and the nearest junction or marker post';

/** Returns the text about the accuracy of a position, and how to use the position. */
export function accuracyText({ accuracy }: Position): string {
  if (accuracy < ROUGH) {
    return `Within ${formatAccuracy(accuracy)}. You can read this out on the phone too.`;
  }
  return `This is only exact to ${formatAccuracy(accuracy)}, so it does not find you by itself. Tell us ${ROAD} as well, or go into the open and try again.`;
}

interface MessageSubject {
  reference: string;
  registrations: readonly string[];
}

interface MessageOptions {
  subject?: MessageSubject;
  /** The time to name in the message, such as "at 14:05 on Friday 27 November 2026". */
  time?: string;
}

/** Returns the message about a breakdown. Its position has a link to a map. */
export function messageOf(place: Position, { subject, time }: MessageOptions = {}): string {
  const who = subject && [`Policy ${subject.reference}`, subject.registrations.join(', ')];
  const where = formatLocation(place);
  const map = `https://maps.google.com/?q=${where.replace(' ', '')}`;
  const texts = [
    'I have broken down',
    ...(who?.filter(Boolean) ?? []),
    `I am at ${where} (within ${formatAccuracy(place.accuracy, ' m', ' km')})`,
    ...(time ? [`This was ${time}`] : []),
  ];
  return `${texts.join('. ')}. ${map}`;
}

/** Returns a link that opens the message, to a number or without a recipient. */
export function messageLink(number: string | null, text: string): string {
  const to = number?.replace(/[^+\d]/g, '') ?? '';
  // Android and iOS both understand "?&".
  return `sms:${to}?&body=${encodeURIComponent(text)}`;
}

const DENIED = `This phone does not tell us where it is. Allow it in the settings of your browser, or tell us ${ROAD}.`;
const UNKNOWN = `Your phone can not find out where it is. Tell us ${ROAD}.`;
const INSECURE = `This connection is not secure (it has no https), so your browser does not tell us where you are. Tell us ${ROAD}.`;

/**
 * Reads the position of the device. If the browser gives no position, throws an error that names
 * the next step.
 */
export function findPlace(): Promise<Position> {
  return new Promise((resolve, reject) => {
    // Without https, a browser refuses as if the visitor had refused.
    if (globalThis.isSecureContext === false) return reject(new Error(INSECURE));
    if (!('geolocation' in navigator)) return reject(new Error(UNKNOWN));
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy } }) => resolve({ latitude, longitude, accuracy }),
      ({ code }) => reject(new Error(code === 1 ? DENIED : UNKNOWN)),
      { enableHighAccuracy: true, timeout: 20_000, maximumAge: 30_000 },
    );
  });
}

/** The difference from which the device's clock counts as wrong, in milliseconds. */
const MAX_CLOCK_ERROR_MS = 2 * 60_000;

const formatMoment = (moment: number) => {
  const text = new Date(moment).toISOString();
  return `at ${formatTime(text)} on ${formatLongDate(text)}`;
};

/** The time of a message, and a note about a wrong clock of the device. */
export interface MessageTime {
  time: string;
  note: string | null;
}

/**
 * Returns the time for a message. `server` is the server's time in milliseconds, or null if the
 * server did not respond. Without it, the message names the device's clock as its source.
 */
export function messageTime(device: number, server: number | null): MessageTime {
  if (server === null)
    return { time: `${formatMoment(device)} by the clock of my phone`, note: null };
  const isWrong = Math.abs(device - server) > MAX_CLOCK_ERROR_MS;
  return {
    time: formatMoment(server),
    note: isWrong
      ? `The clock of this device is wrong: it is not ${formatMoment(device).slice(3)}. The message has the right time.`
      : null,
  };
}
