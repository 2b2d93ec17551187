import { Button } from '@mantine/core';
import { useProduct } from '../../../api/hooks';
import type { PolicyRead, PolicyTerm } from '../../../api/policies/policyTypes';
import { paths } from '../../../lib/routes/paths';
import { lastDay } from '../../../shared/cover/lastDay';
import { useCoverHelp } from '../../../shared/help/useCoverHelp';
import { Icon } from '../../../ui/icons/Icon';
import { calendarFile } from './calendarFile';

interface Props {
  info: PolicyRead['info'];
  term: PolicyTerm;
}

/** Downloads a calendar file with the start and the last day of the cover, and the number to call. */
export function AddToCalendar({ info, term }: Props) {
  const help = useCoverHelp(info.product_identifier);
  const { data: product } = useProduct(info.product_identifier);
  const last = lastDay(term);
  if (!help || !product || !last || term.cancellation) return null;

  const download = () => {
    const { uuid, custom_id: reference } = info;
    const file = calendarFile(
      {
        uuid,
        reference,
        title: product.info.product_title,
        phone: help.phone,
        begins: term.cover_begins,
        lastDay: last,
        url: new URL(paths.policyView(uuid), window.location.origin).href,
      },
      new Date(),
    );
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([file], { type: 'text/calendar;charset=utf-8' }));
    link.download = `${reference}.ics`;
    link.click();
    // Some browsers read the file after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  return (
    <Button
      variant="default"
      mt="md"
      className="screenOnly"
      leftSection={<Icon name="calendar" size={20} />}
      onClick={download}
    >
      Add to calendar
    </Button>
  );
}
