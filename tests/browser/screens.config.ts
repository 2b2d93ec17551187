import base from './playwright.config.ts';

/**
 * Every page at each width, with large text and with forced colours. Run by hand, since it takes
 * some minutes: npx playwright test --config screens.config.ts. SCREENS=folder stores a picture of
 * each.
 */
export default {
  ...base,
  testDir: 'screens',
  projects: base.projects?.filter(({ name }) => name === 'desktop'),
};
