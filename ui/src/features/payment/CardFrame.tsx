import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { PaymentStarted } from '../../api/types';
import classes from './Payment.module.css';

interface Props {
  attempt: PaymentStarted;
  onDone: () => void;
}

interface FrameMessage {
  type?: unknown;
  payment?: unknown;
  height?: unknown;
}

const FRAME = 'card-payment';
const TALLEST = 1600;

function read(event: MessageEvent, frame: Window | null): FrameMessage | null {
  if (event.origin !== window.location.origin || event.source !== frame) return null;
  return typeof event.data === 'object' ? event.data : null;
}

/** Whether a message comes from our frame and says that this attempt has an answer. */
export function isDone(event: MessageEvent, attempt: PaymentStarted, frame: Window | null) {
  const data = read(event, frame);
  return data?.type === 'layby:payment' && data.payment === attempt.payment_id;
}

/** The height that the frame's page reports, in pixels; null for any other message. */
export function saidHeight(event: MessageEvent, frame: Window | null): number | null {
  const data = read(event, frame);
  if (data?.type !== 'layby:height' || typeof data.height !== 'number') return null;
  return data.height > 0 && data.height <= TALLEST ? Math.ceil(data.height) : null;
}

function Fields({ fields }: { fields: Record<string, string> }) {
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}

/** The gateway's card form in a frame; the card's number never reaches our page. */
export function CardFrame({ attempt, onDone }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [height, setHeight] = useState<number>();
  const posted = attempt.method === 'POST';

  useEffect(() => {
    const listen = (event: MessageEvent) => {
      const from = frame.current?.contentWindow ?? null;
      const said = saidHeight(event, from);
      if (said !== null) setHeight(said);
      else if (isDone(event, attempt, from)) onDone();
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [attempt, onDone]);

  useEffect(() => {
    if (posted && attempt.kind === 'iframe') form.current?.submit();
  }, [posted, attempt.kind]);

  if (attempt.kind === 'redirect') {
    return (
      <form method={attempt.method} action={attempt.url}>
        <Fields fields={attempt.fields} />
        <Button type="submit">Continue to the card payment</Button>
      </form>
    );
  }
  return (
    <>
      <iframe
        ref={frame}
        name={FRAME}
        title="Card payment"
        className={classes.frame}
        style={{ height }}
        src={posted ? undefined : attempt.url}
      />
      {posted && (
        <form ref={form} method="POST" action={attempt.url} target={FRAME} hidden>
          <Fields fields={attempt.fields} />
        </form>
      )}
    </>
  );
}
