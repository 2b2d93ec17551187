import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const blue: MantineColorsTuple = [
  '#eaf3fb',
  '#d3e4f5',
  '#a6c8ea',
  '#75aadf',
  '#4c8fd4',
  '#2873bf',
  '#0b5cad',
  '#094e94',
  '#07407a',
  '#053261',
];

const ink: MantineColorsTuple = [
  '#f1f4f8',
  '#dde3ea',
  '#bcc7d4',
  '#93a3b6',
  '#6f8197',
  '#4a5d75',
  '#2b4059',
  '#1c3350',
  '#12263f',
  '#0b1a2d',
];

const amber: MantineColorsTuple = [
  '#fff7e3',
  '#ffedc2',
  '#ffdf94',
  '#ffd065',
  '#ffc13a',
  '#ffb000',
  '#e09a00',
  '#a87200',
  '#7d5500',
  '#573b00',
];

const green: MantineColorsTuple = [
  '#e6f5ef',
  '#cbe9dc',
  '#98d3ba',
  '#63bc96',
  '#38a678',
  '#1f8d66',
  '#12795a',
  '#0e664c',
  '#0a523d',
  '#073f2e',
];

const red: MantineColorsTuple = [
  '#fdeceb',
  '#fbd6d3',
  '#f4aaa5',
  '#eb7b74',
  '#dc5249',
  '#c9372d',
  '#b42318',
  '#991b12',
  '#7f150d',
  '#640f09',
];

const FONT = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif";

export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: 6,
  black: '#12263f',
  colors: { blue, ink, amber, green, red },
  fontFamily: FONT,
  fontSizes: {
    xs: '0.8125rem',
    sm: '0.9375rem',
    md: '1.0625rem',
    lg: '1.1875rem',
    xl: '1.375rem',
  },
  lineHeights: { xs: '1.45', sm: '1.5', md: '1.55', lg: '1.55', xl: '1.5' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '0.25rem', sm: '0.5rem', md: '0.75rem', lg: '1rem', xl: '1.5rem' },
  defaultRadius: 'md',
  shadows: {
    sm: '0 1px 2px rgb(18 38 63 / 6%), 0 4px 16px rgb(18 38 63 / 6%)',
    md: '0 8px 32px rgb(18 38 63 / 14%)',
  },
  headings: {
    fontFamily: FONT,
    fontWeight: '650',
    textWrap: 'balance',
    sizes: {
      // Limits the size of large text, so that a heading's longest word fits the width of a phone.
      h1: { fontSize: 'min(1.75rem, 9vw)', lineHeight: '1.25' },
      h2: { fontSize: '1.375rem', lineHeight: '1.3' },
      h3: { fontSize: '1.125rem', lineHeight: '1.4' },
    },
  },
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'md' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md' } },
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: true } } },
    Modal: {
      defaultProps: {
        centered: true,
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.5, color: '#0b1a2d' },
        transitionProps: { duration: 150 },
      },
      styles: {
        title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 650, lineHeight: 1.3 },
      },
    },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': '#12263f',
    '--mantine-color-dimmed': '#4a5d75',
    '--mantine-color-anchor': '#0b5cad',
    '--mantine-color-error': '#b42318',
    '--mantine-color-placeholder': '#5c6f86',
    '--mantine-color-default-border': '#dde3ea',
    '--layby-page': '#f6f8fa',
    '--layby-ink': '#12263f',
    '--layby-night': '#12263f',
    '--layby-night-land': '#3a5676',
    '--layby-night-text': '#c3cedb',
    '--layby-night-edge': '#7f93ab',
    '--layby-border': '#dde3ea',
    '--layby-edge': '#74879c',
    '--layby-action': '#0b5cad',
    '--layby-amber': '#ffb000',
    '--layby-green': '#12795a',
    '--layby-red': '#b42318',
  },
  dark: {},
});
