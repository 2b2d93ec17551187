import type { SVGProps } from 'react';

/** Line drawings on a 24 px grid. A product file may name any of them. */
const DRAWINGS = {
  shield: 'M12 3l7.5 3v5.5c0 4.6-3.1 8.2-7.5 9.5-4.4-1.3-7.5-4.9-7.5-9.5V6zM8.8 12l2.3 2.3 4.2-4.4',
  user: 'M12 12.2a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.6-3.8 3.6-5.7 7.5-5.7s6.9 1.9 7.5 5.7',
  users:
    'M9 11.8a3.6 3.6 0 1 0 0-7.2 3.6 3.6 0 0 0 0 7.2zM2.5 19.8c.5-3.5 3-5.2 6.5-5.2s6 1.7 6.5 5.2M15.5 4.9a3.5 3.5 0 0 1 0 6.6M18 14.9c2 .7 3.2 2.3 3.5 4.9',
  adjustments:
    'M4 7h9M17 7h3M4 12h3M11 12h9M4 17h7M15 17h5M15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM9 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM13 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  'credit-card':
    'M4.5 5.5h15a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17V7a1.5 1.5 0 0 1 1.5-1.5zM3 10h18M6.5 15h4',
  car: 'M4 16.5v-3.6l2-5.2A2 2 0 0 1 7.9 6.4h8.2a2 2 0 0 1 1.9 1.3l2 5.2v3.6M4 12.6h16M4 16.5h16v2h-2.5v-2M4 16.5v2h2.5v-2M7.2 14.6h.1M16.7 14.6h.1',
  truck:
    'M3 16.5V6.5h11v10M14 9.5h3.6L21 13v3.5h-2M16 16.5h-6M5.5 16.5H3M7.7 18.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 18.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  motorbike:
    'M5 19a3.3 3.3 0 1 0 0-6.6A3.3 3.3 0 0 0 5 19zM19 19a3.3 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.6zM19 15.7L16 6.2h-3M2.5 9.4h6l1.7 1.8h3.6c1.6 0 1.3-2.2 3.2-2.2M5 15.7h9.3l2.3-7.5M10.2 11.2v4.5',
  'map-pin':
    'M12 21c4.3-4.3 6.5-7.8 6.5-10.8a6.5 6.5 0 1 0-13 0C5.5 13.2 7.7 16.7 12 21zM12 12.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6z',
  map: 'M9 5.5l6 2.5 5-2v12.5l-5 2-6-2.5-5 2V7.5zM9 5.5v12.5M15 8v12.5',
  building: 'M5 20.5V4.5h9v16M14 9.5h5v11M3.5 20.5h17M8 8.5h3M8 12h3M8 15.5h3',
  home: 'M4 11.5L12 4.5l8 7M6 10v9.5h12V10M10 19.5v-5h4v5',
  road: 'M8 4L4 20.5M16 4l4 16.5M12 4.5v3M12 10.5v3M12 16.5v3.5',
  world:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c2.6 2.7 3.9 5.7 3.9 9s-1.3 6.3-3.9 9c-2.6-2.7-3.9-5.7-3.9-9S9.4 5.7 12 3z',
  calendar: 'M5 6h14v13.5H5zM5 10.5h14M8.5 3.5V7.5M15.5 3.5V7.5',
  call: 'M7 4h3l1.5 4-2 1.5a11 11 0 0 0 5 5l1.5-2 4 1.5v3a2 2 0 0 1-2.2 2C10.9 18.4 5.6 13.1 5 6.2A2 2 0 0 1 7 4z',
  mail: 'M4 6h16v12H4zM4.5 6.5l7.5 6.5 7.5-6.5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5.2l3.3 2',
  key: 'M8 18.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM11.3 10.8L19 3.5M16 6.5l2.5 2.5M13.5 8.9l1.8 1.8',
  scales: 'M12 4v16M8 20h8M5 7h14M5 7l-2.5 6.5h5zM19 7l-2.5 6.5h5z',
  phone:
    'M8 3.5h8a1.5 1.5 0 0 1 1.5 1.5v14a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 19V5A1.5 1.5 0 0 1 8 3.5zM11 17.5h2',
  tablet:
    'M6 3h12a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 18 21H6a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 6 3zM4.5 17h15M11.5 19h1',
  laptop: 'M6.5 5h11A1.5 1.5 0 0 1 19 6.5V15H5V6.5A1.5 1.5 0 0 1 6.5 5zM2.5 18.5h19L19 15H5z',
  watch:
    'M12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM9 7.5L9.7 3h4.6l.7 4.5M9 16.5l.7 4.5h4.6l.7-4.5M12 9.8V12l1.5 1',
  camera:
    'M4.5 7.5H8L9.5 5h5L16 7.5h3.5A1.5 1.5 0 0 1 21 9v8.5a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5V9a1.5 1.5 0 0 1 1.5-1.5zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  console:
    'M7.5 7.5h9a5 5 0 0 1 4.9 4.1l.6 3.6a2.4 2.4 0 0 1-4.2 1.9L15.5 14.5h-7l-2.3 2.6A2.4 2.4 0 0 1 2 15.2l.6-3.6a5 5 0 0 1 4.9-4.1zM8 9.8v3M6.5 11.3h3M15.5 10.5h.1M17.5 12.3h.1',
  headphones:
    'M4 16.5V12a8 8 0 0 1 16 0v4.5M4 14h2.5A1.5 1.5 0 0 1 8 15.5v3A1.5 1.5 0 0 1 6.5 20H5.5a1.5 1.5 0 0 1-1.5-1.5zM20 14h-2.5a1.5 1.5 0 0 0-1.5 1.5v3a1.5 1.5 0 0 0 1.5 1.5h1a1.5 1.5 0 0 0 1.5-1.5z',
  bicycle:
    'M6 18.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM18 18.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM6 15l3.5-6.5h6L18 15M9.5 8.5l3 6.5 3-6.5M9.5 8.5L8.8 6.5H7M15.5 8.5l-.8-2.5H17',
  tag: 'M4 4.5h7.5l8 8-7 7-8.5-8zM8 8.5h.1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  plus: 'M12 5v14M5 12h14',
  pencil: 'M4.5 19.5l1-4L16 5a2.1 2.1 0 0 1 3 3L8.5 18.5zM14.5 6.5l3 3',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v5.5M13.5 10.5v5.5',
  lock: 'M6.5 11h11v8.5h-11zM9 11V8a3 3 0 0 1 6 0v3',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.6v.1',
  alert: 'M12 4l9 16H3zM12 10v4.5M12 17.2v.1',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  back: 'M14.5 6l-6 6 6 6',
  next: 'M9.5 6l6 6-6 6',
} as const;

export type IconName = keyof typeof DRAWINGS;

/** Other names that product files use for drawings. */
const ALIASES: Readonly<Record<string, IconName>> = { device: 'phone' };

function isIconName(name: string): name is IconName {
  return Object.hasOwn(DRAWINGS, name);
}

function drawing(name: string | undefined, fallback: IconName): string {
  const alias = name !== undefined && Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return DRAWINGS[alias !== undefined && isIconName(alias) ? alias : fallback];
}

interface Props extends Omit<SVGProps<SVGSVGElement>, 'name'> {
  name: string | undefined;
  size?: number;
  /** The drawing for an unknown or missing name. */
  fallback?: IconName;
}

/**
 * Shows an icon as decoration. Screen readers skip the icon, because the text beside it says the
 * same.
 */
export function Icon({ name, size = 24, fallback = 'shield', ...rest }: Props) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      {...rest}
    >
      <path d={drawing(name, fallback)} />
    </svg>
  );
}
