import { useEffect, useRef, useState } from 'react';
import type { PaymentStarted } from '../../api/types';
import { Fields } from './Fields';
import { heard } from './frameMessages';
import classes from './Payment.module.css';

interface Props {
  attempt: PaymentStarted;
  provider: string;
  onDone: () => void;
}

const FRAME = 'card-payment';

/** The gateway's card form in a frame; the card's number never reaches our page. */
export function CardFrame({ attempt, provider, onDone }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [height, setHeight] = useState<number>();
  const posted = attempt.method === 'POST';

  useEffect(() => {
    const listen = (event: MessageEvent) => {
      const said = heard(event, attempt, provider, frame.current?.contentWindow ?? null);
      if (said?.kind === 'height') setHeight(said.height);
      else if (said?.kind === 'done') onDone();
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [attempt, provider, onDone]);

  useEffect(() => {
    if (posted) form.current?.submit();
  }, [posted]);

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
