import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useSite } from '../../api/hooks';
import type { Site } from '../../api/types';
import { type Consent, readConsent, saveConsent } from '../../lib/storage/cookies';
import { startTagManager, tagManagerRuns } from '../../lib/tagManager';
import { useSignal } from '../../lib/useSignal';
import classes from './CookieBanner.module.css';
import { consentReopened } from './consent';

/**
 * Sets a CSS variable to the banner's height, for bars at the bottom of the screen and for
 * scrolling.
 */
function useRoomAtTheBottom(shown: boolean) {
  const banner = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = banner.current;
    const root = document.documentElement;
    if (!shown || !element) return;
    const measure = () => root.style.setProperty('--layby-bottom', `${element.offsetHeight}px`);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.style.removeProperty('--layby-bottom');
    };
  }, [shown]);
  return banner;
}

function Banner({ site }: { site: Site }) {
  const reopened = useSignal(consentReopened);
  const [loadedWith] = useState(() => readConsent(site.cookie_name));
  const [consent, setConsent] = useState(loadedWith);
  const shown = consent === null || reopened;
  const banner = useRoomAtTheBottom(shown);

  // A document that was loaded without consent has a content policy that refuses tags. Tags then
  // start with the next document.
  useEffect(() => startTagManager(site, loadedWith), [site, loadedWith]);

  useEffect(() => {
    if (reopened) banner.current?.focus();
  }, [reopened, banner]);

  function choose(choice: Consent) {
    saveConsent(site.cookie_name, choice);
    consentReopened.set(false);
    setConsent(choice);
    // Only a reload of the page stops a running script.
    if (choice === 'refused' && tagManagerRuns()) window.location.reload();
  }

  if (!shown) return null;
  return (
    <section
      ref={banner}
      tabIndex={-1}
      aria-label="Cookies"
      className={`screenOnly ${classes.banner}`}
    >
      <div className={classes.inner}>
        <p className={classes.text}>This site uses cookies to provide a better user experience.</p>
        <div className={classes.buttons}>
          <Button size="sm" variant="default" onClick={() => choose('refused')}>
            I Refuse
          </Button>
          <Button size="sm" variant="default" onClick={() => choose('accepted')}>
            I Accept
          </Button>
        </div>
      </div>
    </section>
  );
}

/** Shows the banner once the shop's settings are read, because they name the cookie. */
export function CookieBanner() {
  const { data: site } = useSite();
  return site ? <Banner site={site} /> : null;
}
