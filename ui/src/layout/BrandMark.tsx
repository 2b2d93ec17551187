/** Draws the brand's mark: a lamp. */
export function BrandMark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--layby-ink)" />
      <path
        d="M9 8v12.5a3.5 3.5 0 0 0 3.5 3.5H23"
        fill="none"
        stroke="#fff"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <circle cx="21.5" cy="11" r="4.5" fill="var(--layby-amber)" />
    </svg>
  );
}
