interface Props {
  size?: number;
}

/** Creates an icon component from lines on a 24 px grid. */
function icon(lines: string) {
  return function LineIcon({ size = 20 }: Props) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        <path d={lines} />
      </svg>
    );
  };
}

export const UserIcon = icon(
  'M8 8a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4.5 20.5c1.2-3.6 4-5.5 7.5-5.5s6.3 1.9 7.5 5.5',
);
export const ChevronIcon = icon('m6 9.5 6 6 6-6');
export const MenuIcon = icon('M4 6.5h16M4 12h16M4 17.5h16');
export const TickIcon = icon('m5 12.5 4.5 4.5L19 7.5');
export const InfoIcon = icon('M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.6v.1');
export const CrossIcon = icon('M6.5 6.5l11 11m0-11-11 11');
export const PhoneIcon = icon(
  'M5 4h4l1.5 5-2.5 1.5a12 12 0 0 0 5.5 5.5L15 13.5l5 1.5v4a1.5 1.5 0 0 1-1.5 1.5A15.5 15.5 0 0 1 3.5 5.5 1.5 1.5 0 0 1 5 4Z',
);
export const PrintIcon = icon(
  'M7 9V3.5h10V9M7 17.5H4.5v-7A1.5 1.5 0 0 1 6 9h12a1.5 1.5 0 0 1 1.5 1.5v7H17M7 14.5h10v6H7z',
);
export const LockIcon = icon(
  'M7 10.5h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2M8 10.5V7.5a4 4 0 0 1 8 0v3',
);
export const BackIcon = icon('M19 12H5m6-6.5L4.5 12l6.5 6.5');
export const PencilIcon = icon('m15 5.5 3.5 3.5L8 19.5l-4.5 1 1-4.5L15 5.5Zm-2 2 3.5 3.5');
export const FilterIcon = icon('M4 6.5h16M7 12h10M10 17.5h4');
export const DocumentIcon = icon('M6 3.5h8l4.5 4.5v12.5H6zM13.5 3.5V8.5h5M9 13h6M9 16.5h6');
