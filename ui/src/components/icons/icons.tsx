import type { ReactNode } from 'react';

interface Props {
  size?: number;
}

function Drawing({ size = 20, children }: Props & { children: ReactNode }) {
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
      {children}
    </svg>
  );
}

export function UserIcon(props: Props) {
  return (
    <Drawing {...props}>
      <circle cx="12" cy="8" r="4" />
      <path d="M4.5 20.5c1.2-3.6 4-5.5 7.5-5.5s6.3 1.9 7.5 5.5" />
    </Drawing>
  );
}

export function ChevronIcon(props: Props) {
  return (
    <Drawing {...props}>
      <path d="m6 9.5 6 6 6-6" />
    </Drawing>
  );
}

export function MenuIcon(props: Props) {
  return (
    <Drawing {...props}>
      <path d="M4 6.5h16M4 12h16M4 17.5h16" />
    </Drawing>
  );
}

export function TickIcon(props: Props) {
  return (
    <Drawing {...props}>
      <path d="m5 12.5 4.5 4.5L19 7.5" />
    </Drawing>
  );
}

export function CrossIcon(props: Props) {
  return (
    <Drawing {...props}>
      <path d="M6.5 6.5l11 11m0-11-11 11" />
    </Drawing>
  );
}

export function PhoneIcon(props: Props) {
  return (
    <Drawing {...props}>
      <path d="M5 4h4l1.5 5-2.5 1.5a12 12 0 0 0 5.5 5.5L15 13.5l5 1.5v4a1.5 1.5 0 0 1-1.5 1.5A15.5 15.5 0 0 1 3.5 5.5 1.5 1.5 0 0 1 5 4Z" />
    </Drawing>
  );
}

export function PrintIcon(props: Props) {
  return (
    <Drawing {...props}>
      <path d="M7 9V3.5h10V9M7 17.5H4.5v-7A1.5 1.5 0 0 1 6 9h12a1.5 1.5 0 0 1 1.5 1.5v7H17" />
      <path d="M7 14.5h10v6H7z" />
    </Drawing>
  );
}

export function LockIcon(props: Props) {
  return (
    <Drawing {...props}>
      <rect x="5" y="10.5" width="14" height="10" rx="2" />
      <path d="M8 10.5V7.5a4 4 0 0 1 8 0v3" />
    </Drawing>
  );
}

export function BackIcon(props: Props) {
  return (
    <Drawing {...props}>
      <path d="M19 12H5m6-6.5L4.5 12l6.5 6.5" />
    </Drawing>
  );
}

export function PencilIcon(props: Props) {
  return (
    <Drawing {...props}>
      <path d="m15 5.5 3.5 3.5L8 19.5l-4.5 1 1-4.5L15 5.5Zm-2 2 3.5 3.5" />
    </Drawing>
  );
}

export function FilterIcon(props: Props) {
  return (
    <Drawing {...props}>
      <path d="M4 6.5h16M7 12h10M10 17.5h4" />
    </Drawing>
  );
}

export function DocumentIcon(props: Props) {
  return (
    <Drawing {...props}>
      <path d="M6 3.5h8l4.5 4.5v12.5H6z" />
      <path d="M13.5 3.5V8.5h5M9 13h6M9 16.5h6" />
    </Drawing>
  );
}
