import { Button, Text } from '@mantine/core';
import { formatLongDate, formatTime } from '../lib/dates';
import classes from './BreakdownHelp.module.css';
import { PhoneIcon } from './icons';
import { Panel } from './Panel';

interface Props {
  title: string;
  phone: string;
  begins: string;
  reference: string;
}

/** What to do at the roadside, and, before cover begins, that it can't help yet. */
export function BreakdownHelp({ title, phone, begins, reference }: Props) {
  const waiting = new Date(begins) > new Date();
  return (
    <Panel title={title} className={classes.help}>
      {waiting && (
        <Text mb="sm">
          A breakdown before {formatTime(begins)} on {formatLongDate(begins)} is not covered yet.
          From then on:
        </Text>
      )}
      <Text mb="md">
        Get everyone to a safe place, then call us day or night. Tell us where you are and your
        policy ID, {reference}.
      </Text>
      <Button
        component="a"
        href={`tel:${phone.replace(/[^+\d]/g, '')}`}
        leftSection={<PhoneIcon />}
      >
        {phone}
      </Button>
    </Panel>
  );
}
