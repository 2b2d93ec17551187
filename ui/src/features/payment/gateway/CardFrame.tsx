import { Anchor, Button, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { PaymentStarted } from '../../../api/types';
import { ContactLine } from '../../../ui/feedback/MessagePage';
import { PaymentStack } from '../PaymentLayout';
import classes from './CardFrame.module.css';
import { originOf, parseFrameMessage } from './frameMessages';
import { HiddenInputs } from './HiddenInputs';
import { PaymentSkeleton } from './PaymentSkeleton';

interface Props {
  attempt: PaymentStarted;
  provider: string;
  onDone: () => void;
  /** Starts the payment again, with a new form. */
  onRestart: () => void;
}

const FRAME = 'card-payment';

/** After this time, in milliseconds, the gateway's page counts as not loaded. */
export const LOAD_MS = 10_000;

/**
 * Guesses whether the browser shows an error page in the frame. Our page can't read a frame of
 * another host, so this function then checks whether the browser is offline.
 */
function isError(frame: HTMLIFrameElement, attempt: PaymentStarted): boolean {
  return originOf(attempt) === window.location.origin
    ? frame.contentDocument === null
    : !navigator.onLine;
}

/** Shows the gateway's card form in a frame. The card's number never reaches our page. */
export function CardFrame({ attempt, provider, onDone, onRestart }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [height, setHeight] = useState<number>();
  const [hasLoaded, setLoaded] = useState(false);
  const [isLost, setLost] = useState(false);
  const [reloadCount, setReloadCount] = useState(0);
  const posted = attempt.method === 'POST';
  const isForeign = originOf(attempt) !== window.location.origin;

  const reload = () => {
    // A signed form can open the gateway's page only once.
    if (posted) {
      onRestart();
      return;
    }
    setLoaded(false);
    setLost(false);
    setReloadCount((before) => before + 1);
  };

  useEffect(() => {
    const listen = (event: MessageEvent) => {
      const message = parseFrameMessage(
        event,
        attempt,
        provider,
        frame.current?.contentWindow ?? null,
      );
      if (message?.kind === 'height') setHeight(message.height);
      else if (message?.kind === 'done') onDone();
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [attempt, provider, onDone]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each new frame is posted to
  useEffect(() => {
    if (posted) form.current?.submit();
  }, [posted, reloadCount]);

  useEffect(() => {
    if (hasLoaded || isLost) return;
    const timer = setTimeout(() => setLost(true), LOAD_MS);
    return () => clearTimeout(timer);
  }, [hasLoaded, isLost]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `reload` is a new function at each render
  useEffect(() => {
    if (!isLost) return;
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isLost]);

  return (
    <>
      {isLost && <FrameLost onRetry={reload} />}
      <div className={classes.place} hidden={isLost}>
        {!hasLoaded && (
          <div className={classes.opening}>
            <PaymentSkeleton />
          </div>
        )}
        <iframe
          key={reloadCount}
          ref={frame}
          name={FRAME}
          title="Card payment"
          // Apple Pay and Google Pay work in a frame of another host only with this permission.
          allow="payment"
          className={classes.frame}
          data-loading={!hasLoaded || undefined}
          style={{ height }}
          src={posted ? undefined : attempt.url}
          onLoad={({ currentTarget }) => {
            // A frame that receives a form by POST first loads an empty page.
            if (currentTarget.contentDocument?.URL === 'about:blank') return;
            setLoaded(true);
            setLost(isError(currentTarget, attempt));
          }}
        />
      </div>
      {isForeign && hasLoaded && !isLost && <FrameEmpty onRetry={reload} />}
      {posted && (
        <form ref={form} method="POST" action={attempt.url} target={FRAME} hidden>
          <HiddenInputs fields={attempt.fields} />
        </form>
      )}
    </>
  );
}

/**
 * Offers help below the frame of another host. Our page can't see whether this frame shows the
 * card form or an error.
 */
function FrameEmpty({ onRetry }: { onRetry: () => void }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), LOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <PaymentStack>
      <Text>
        Is there no card form?{' '}
        <Anchor component="button" type="button" underline="always" onClick={onRetry}>
          Load it again
        </Anchor>
      </Text>
      <ContactLine />
    </PaymentStack>
  );
}

/** Tells, in place of the card form, that the form did not load. */
function FrameLost({ onRetry }: { onRetry: () => void }) {
  return (
    <PaymentStack role="alert">
      <Text fw={600}>The card payment did not load.</Text>
      <Text>Please check your connection and try again.</Text>
      <Text>
        Nothing was taken unless you had pressed Pay. If you had, this page says how the payment
        ended as soon as we know.
      </Text>
      <Button onClick={onRetry}>Try again</Button>
      <ContactLine />
    </PaymentStack>
  );
}
