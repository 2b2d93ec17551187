import {
  convertCssVariables,
  DEFAULT_THEME,
  deepMerge,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import type { Plugin } from 'vite';
import { cssVariables, theme } from './src/theme.ts';

type Variables = Record<string, string>;

/** The theme's variables, without those that the component library's own stylesheet sets alike. */
function themeVariables(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const library = defaultCssVariablesResolver(DEFAULT_THEME);
  const own = deepMerge(defaultCssVariablesResolver(merged), cssVariables(merged));
  const changed = (ours: Variables, theirs: Variables) =>
    Object.fromEntries(Object.entries(ours).filter(([name, value]) => theirs[name] !== value));
  return convertCssVariables({
    variables: changed(own.variables, library.variables),
    light: changed(own.light, library.light),
    // The website has no dark scheme.
    dark: {},
  });
}

/** The library's component that would write them in the browser. */
const WRITER = '/MantineCssVariables/MantineCssVariables.mjs';

/**
 * Writes the theme's variables into the stylesheet, so that the page's first words are in its colours
 * before any script runs, and leaves out the script that would work them out.
 */
export const themeStyles: Plugin = {
  name: 'theme-styles',
  enforce: 'pre',
  transform(code, id) {
    if (id.endsWith(WRITER)) return 'export const MantineCssVariables = () => null;';
    return id.endsWith('/src/styles.css') ? `${code}\n${themeVariables()}` : undefined;
  },
};
