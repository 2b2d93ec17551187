import classes from './AuthLayout.module.css';

/** Draws a recovery lorry on a night road, with a car on its back. The picture is decoration. */
export function RoadPicture() {
  return (
    <svg
      className={`screenOnly ${classes.picture}`}
      viewBox="0 0 480 190"
      aria-hidden="true"
      focusable="false"
      data-picture
    >
      <path
        fill="var(--layby-night-land)"
        opacity=".55"
        d="M0 152v-26c52-34 96-34 156-8 66-48 148-62 324 4v30z"
      />
      <circle fill="var(--layby-amber)" opacity=".16" cx="331" cy="51" r="50" />
      <circle fill="var(--layby-amber)" opacity=".16" cx="331" cy="51" r="27" />
      <path fill="var(--layby-amber)" opacity=".14" d="m403 116 77-20v56h-70z" />
      <path stroke="var(--layby-night-edge)" strokeWidth="2" d="M0 153h480" />
      <path stroke="#fff" strokeDasharray="28 28" strokeWidth="3" d="M0 174h480" />
      <path
        fill="var(--mantine-color-blue-4)"
        transform="translate(0 -11)"
        d="M100 118v-16c0-6 3-9 9-11l22-5c12-15 23-22 40-22h26c17 0 28 7 40 21l25 5c9 2 14 6 14 13v15z"
      />
      <path
        fill="var(--layby-night)"
        d="M146 86c8-8 15-11 25-11h11v11zm47-11h8c11 0 18 3 26 11h-34z"
      />
      <path fill="var(--layby-night-text)" d="M82 118h206v11H82z" />
      <path fill="var(--layby-night-edge)" d="M92 129h312v9H92z" />
      <path
        fill="#fff"
        d="M300 138V75a10 10 0 0 1 10-10h41c8 0 13 3 17 10l17 29c13 2 20 7 20 18v16z"
      />
      <path fill="var(--layby-night)" d="M317 79h33c4 0 6 1 8 5l11 20h-52z" />
      <path fill="var(--layby-amber)" d="M319 65v-7a6 6 0 0 1 6-6h12a6 6 0 0 1 6 6v7z" />
      <path fill="var(--layby-amber)" d="M397 112h8v8h-8z" />
      <g fill="var(--layby-night)" stroke="#fff" strokeWidth="4">
        {[132, 248].map((x) => (
          <circle key={x} cx={x} cy="106" r="11" />
        ))}
        {[128, 166, 356].map((x) => (
          <circle key={x} cx={x} cy="140" r="14" />
        ))}
      </g>
    </svg>
  );
}
